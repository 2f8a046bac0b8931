ALTER TABLE `oauth_applications` ADD `resources` text;--> statement-breakpoint
-- Clients that got refresh tokens before the refresh grant was needed for them keep getting them.
UPDATE `oauth_applications` SET `registration` = json_insert(`registration`, '$.grant_types[#]', 'refresh_token')
WHERE NOT EXISTS (SELECT 1 FROM json_each(`registration`, '$.grant_types') WHERE value = 'refresh_token')
  AND EXISTS (SELECT 1 FROM `oauth_access_tokens`
    WHERE `oauth_access_tokens`.`client_id` = `oauth_applications`.`client_id` AND `refresh_token` IS NOT NULL);
--> statement-breakpoint
-- Only native clients have redirect URIs with a private-use scheme (RFC 8252, section 7.1).
UPDATE `oauth_applications` SET `registration` = json_set(`registration`, '$.application_type', 'native')
WHERE json_extract(`registration`, '$.application_type') IS NULL
  AND EXISTS (SELECT 1 FROM json_each(`redirect_urls`) WHERE value NOT LIKE 'http%');
