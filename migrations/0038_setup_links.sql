CREATE TABLE `setup_links` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`requests` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `setup_links_token_hash_unique` ON `setup_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `setup_links_expiry` ON `setup_links` (`expires_at`);--> statement-breakpoint
CREATE INDEX `setup_links_creator` ON `setup_links` (`created_by`);--> statement-breakpoint
ALTER TABLE `connections` ADD `draft_config` text;--> statement-breakpoint
ALTER TABLE `connections` ADD `draft_secret` text;