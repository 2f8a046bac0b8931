CREATE TABLE `oauth_access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`access_token` text NOT NULL,
	`refresh_token` text,
	`access_token_expires_at` integer NOT NULL,
	`refresh_token_expires_at` integer,
	`refreshed_at` integer,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`security_version` integer NOT NULL,
	`scopes` text NOT NULL,
	`grant_id` text NOT NULL,
	`resource` text,
	`key_thumbprint` text,
	`session_id` text,
	`auth_time` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_access_tokens_access_token_unique` ON `oauth_access_tokens` (`access_token`);--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_access_tokens_refresh_token_unique` ON `oauth_access_tokens` (`refresh_token`);--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_grant` ON `oauth_access_tokens` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_user` ON `oauth_access_tokens` (`user_id`,`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_client` ON `oauth_access_tokens` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_session` ON `oauth_access_tokens` (`session_id`);--> statement-breakpoint
CREATE TABLE `oauth_applications` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`client_secret` text,
	`name` text NOT NULL,
	`icon` text,
	`metadata` text,
	`redirect_urls` text NOT NULL,
	`type` text NOT NULL,
	`authentication_scheme` text NOT NULL,
	`disabled` integer DEFAULT false NOT NULL,
	`user_id` text,
	`registration` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_applications_client_id_unique` ON `oauth_applications` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_applications_user` ON `oauth_applications` (`user_id`);--> statement-breakpoint
CREATE TABLE `oauth_consents` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`scopes` text NOT NULL,
	`consent_given` integer NOT NULL,
	`client_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_consents_person` ON `oauth_consents` (`user_id`,`client_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `proven` text;