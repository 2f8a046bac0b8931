CREATE TABLE `billing_products` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text,
	`as_of` integer NOT NULL,
	`read_at` integer NOT NULL
);
