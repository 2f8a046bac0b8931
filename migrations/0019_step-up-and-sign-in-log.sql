CREATE TABLE `security_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`outcome` text NOT NULL,
	`method` text,
	`session_id` text,
	`actor_id` text,
	`details` text DEFAULT '{}' NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`city` text,
	`country` text,
	`request_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `security_events_user` ON `security_events` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `security_events_age` ON `security_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `stored_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `access` text DEFAULT 'full' NOT NULL;--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `amr` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `granted_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `authenticated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `amr` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `phone_number_changed_at` integer;--> statement-breakpoint
UPDATE `sessions` SET `authenticated_at` = `created_at`;--> statement-breakpoint
UPDATE `oauth_access_tokens` SET `granted_at` = `created_at`;
