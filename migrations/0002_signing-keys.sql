CREATE TABLE `jwks` (
	`id` text PRIMARY KEY NOT NULL,
	`alg` text NOT NULL,
	`generation` integer NOT NULL,
	`public_key` text NOT NULL,
	`private_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`signs_from` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jwks_generation` ON `jwks` (`alg`,`generation`);