CREATE TABLE `deployment` (
	`id` integer PRIMARY KEY NOT NULL,
	`base_url` text NOT NULL,
	`locked_at` integer NOT NULL
);
