ALTER TABLE `api_keys` ADD `method` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `amr` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `approval_requests` ADD `method` text;--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `method` text;--> statement-breakpoint
ALTER TABLE `members` ADD `is_managed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `address_vouched_by` text;--> statement-breakpoint
CREATE INDEX `users_domain` ON `users` (substr("email", instr("email", '@') + 1));--> statement-breakpoint
UPDATE `oauth_access_tokens` SET `method` = (SELECT `method` FROM `sessions` WHERE `sessions`.`id` = `session_id`);--> statement-breakpoint
UPDATE `approval_requests` SET `method` = (SELECT `method` FROM `sessions` WHERE `sessions`.`id` = `session_id`);--> statement-breakpoint
UPDATE `members` SET `is_managed` = 1 WHERE `origin` IN ('connection', 'directory', 'domain')
	OR EXISTS (SELECT 1 FROM `connections` INNER JOIN `accounts` ON `accounts`.`provider_id` = 'sso-' || `connections`.`id`
		WHERE `connections`.`organization_id` = `members`.`organization_id` AND `accounts`.`user_id` = `members`.`user_id`)
	OR EXISTS (SELECT 1 FROM `connections` INNER JOIN `directory_users` ON `directory_users`.`connection_id` = `connections`.`id`
		WHERE `connections`.`organization_id` = `members`.`organization_id` AND `directory_users`.`user_id` = `members`.`user_id`)
	OR EXISTS (SELECT 1 FROM `organization_domains` INNER JOIN `users` ON `users`.`id` = `members`.`user_id`
		WHERE `organization_domains`.`organization_id` = `members`.`organization_id` AND `organization_domains`.`verified_at` IS NOT NULL
			AND `users`.`email_is_placeholder` = 0 AND `organization_domains`.`domain` = substr(`users`.`email`, instr(`users`.`email`, '@') + 1));--> statement-breakpoint
UPDATE `users` SET `address_vouched_by` = 'connection' WHERE `email_verified` = 1
	AND `id` IN (SELECT `user_id` FROM `accounts` WHERE `provider_id` LIKE 'sso-%');--> statement-breakpoint
UPDATE `users` SET `address_vouched_by` = 'directory' WHERE `email_verified` = 1 AND `address_vouched_by` IS NULL
	AND `id` IN (SELECT `user_id` FROM `directory_users` WHERE `user_id` IS NOT NULL);
