ALTER TABLE `sessions` ADD `end_is_awaited` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Clients that wait already: nobody has to sign in again for them to hear.
UPDATE `sessions` SET `end_is_awaited` = 1 WHERE `id` IN (SELECT `oauth_access_tokens`.`session_id` FROM `oauth_access_tokens` INNER JOIN `oauth_applications` ON `oauth_applications`.`client_id` = `oauth_access_tokens`.`client_id` WHERE json_extract(`oauth_applications`.`registration`, '$.backchannel_logout_uri') IS NOT NULL);
