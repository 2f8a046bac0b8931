CREATE TABLE `server_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`start` text NOT NULL,
	`key_hash` text NOT NULL,
	`permissions` text NOT NULL,
	`addresses` text NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `server_keys_key_hash_unique` ON `server_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `server_keys_expiry` ON `server_keys` (`expires_at`);--> statement-breakpoint
CREATE INDEX `server_keys_creator` ON `server_keys` (`created_by`);--> statement-breakpoint
CREATE TABLE `server_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`input_hash` text NOT NULL,
	`locked_until` integer NOT NULL,
	`status` integer,
	`answer` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`key_id`) REFERENCES `server_keys`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `server_requests_expiry` ON `server_requests` (`expires_at`);--> statement-breakpoint
CREATE INDEX `server_requests_key` ON `server_requests` (`key_id`);