CREATE TABLE `oauth_provider_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `oauth_applications`(`client_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_provider_grants_person` ON `oauth_provider_grants` (`user_id`,`client_id`,`provider_id`);--> statement-breakpoint
CREATE INDEX `oauth_provider_grants_client` ON `oauth_provider_grants` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_provider_grants_account` ON `oauth_provider_grants` (`account_id`);