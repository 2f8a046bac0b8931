CREATE TABLE `directory_group_members` (
	`group_id` text NOT NULL,
	`entry_id` text NOT NULL,
	`connection_id` text NOT NULL,
	PRIMARY KEY(`group_id`, `entry_id`),
	FOREIGN KEY (`group_id`) REFERENCES `directory_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`entry_id`) REFERENCES `directory_users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `directory_group_members_entry` ON `directory_group_members` (`entry_id`);--> statement-breakpoint
CREATE INDEX `directory_group_members_connection` ON `directory_group_members` (`connection_id`);--> statement-breakpoint
CREATE TABLE `directory_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`display_name` text NOT NULL,
	`external_id` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `directory_groups_order` ON `directory_groups` (`connection_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `directory_groups_external` ON `directory_groups` (`connection_id`,`external_id`);--> statement-breakpoint
CREATE TABLE `directory_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`start` text NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_tokens_token_hash_unique` ON `directory_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `directory_tokens_connection` ON `directory_tokens` (`connection_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `directory_tokens_expiry` ON `directory_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `directory_tokens_creator` ON `directory_tokens` (`created_by`);--> statement-breakpoint
CREATE TABLE `directory_departures` (
	`connection_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `connection_id`),
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `directory_departures_connection` ON `directory_departures` (`connection_id`);--> statement-breakpoint
CREATE TABLE `directory_users` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`user_name` text NOT NULL,
	`external_id` text,
	`active` integer NOT NULL,
	`access` text NOT NULL,
	`user_id` text,
	`data` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_users_name` ON `directory_users` (`connection_id`,`user_name`);--> statement-breakpoint
CREATE UNIQUE INDEX `directory_users_account` ON `directory_users` (`connection_id`,`user_id`) WHERE "directory_users"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `directory_users_external` ON `directory_users` (`connection_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `directory_users_order` ON `directory_users` (`connection_id`,`created_at`,`id`);