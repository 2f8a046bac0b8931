CREATE TABLE `team_members` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`member_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `team_members_member` ON `team_members` (`member_id`,`team_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `team_members_team` ON `team_members` (`team_id`,`member_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `active_team_id` text;