CREATE TABLE `resealing` (
	`name` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`position` integer NOT NULL,
	`changed` integer NOT NULL,
	`unreadable` integer NOT NULL,
	`resealed` integer NOT NULL,
	`finished_at` integer,
	`updated_at` integer NOT NULL
);
