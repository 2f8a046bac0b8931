CREATE TABLE `directory_accounts` (
	`user_id` text PRIMARY KEY NOT NULL,
	`connection_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `directory_accounts_connection` ON `directory_accounts` (`connection_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `directory_usage` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade
);
