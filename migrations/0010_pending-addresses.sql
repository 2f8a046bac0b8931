CREATE TABLE `address_changes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`new_email` text NOT NULL,
	`security_version` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `address_changes_expiry` ON `address_changes` (`expires_at`);