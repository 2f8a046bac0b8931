CREATE TABLE `hourly_counts` (
	`hour` integer NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`hour`, `name`)
);
--> statement-breakpoint
CREATE TABLE `attacks` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`network` text,
	`asn` integer,
	`country` text,
	`started_at` integer NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `attacks_key` ON `attacks` (`key`,`until`);--> statement-breakpoint
CREATE INDEX `attacks_start` ON `attacks` (`started_at`);--> statement-breakpoint
CREATE TABLE `defences` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`network` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `defences_network` ON `defences` (`kind`,`network`);--> statement-breakpoint
CREATE INDEX `defences_expiry` ON `defences` (`expires_at`);