CREATE TABLE `active_users` (
	`user_id` text PRIMARY KEY NOT NULL,
	`last_day` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `active_users_day` ON `active_users` (`last_day`);--> statement-breakpoint
CREATE TABLE `count_progress` (
	`name` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`label` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `name`, `label`)
);
--> statement-breakpoint
CREATE INDEX `admin_audit_action` ON `admin_audit` (`action`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_use` ON `sessions` (`updated_at`);--> statement-breakpoint
CREATE INDEX `security_events_type` ON `security_events` (`type`,`created_at`,`id`);