CREATE TABLE `signal_events` (
	`id` text PRIMARY KEY NOT NULL,
	`receiver_id` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`receiver_id`) REFERENCES `signal_receivers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `signal_events_receiver` ON `signal_events` (`receiver_id`);--> statement-breakpoint
CREATE INDEX `signal_events_age` ON `signal_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `signal_receivers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`audience` text NOT NULL,
	`events` text NOT NULL,
	`url` text,
	`authorization` text,
	`token_hash` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`verified_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signal_receivers_token_hash_unique` ON `signal_receivers` (`token_hash`);