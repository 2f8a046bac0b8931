CREATE TABLE `oauth_service_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`access_token` text NOT NULL,
	`client_id` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text NOT NULL,
	`key_thumbprint` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_service_tokens_access_token_unique` ON `oauth_service_tokens` (`access_token`);--> statement-breakpoint
CREATE INDEX `oauth_service_tokens_expiry` ON `oauth_service_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `granted_resources` text;