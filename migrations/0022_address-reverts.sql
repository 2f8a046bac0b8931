CREATE TABLE `address_reverts` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`changed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `address_reverts_user` ON `address_reverts` (`user_id`);--> statement-breakpoint
CREATE INDEX `address_reverts_expiry` ON `address_reverts` (`expires_at`);