CREATE TABLE `active_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `active_days` (`day`, `count`) SELECT `last_day`, count(*) FROM `active_users` GROUP BY `last_day`;
