CREATE TABLE `audit_budgets` (
	`party` text NOT NULL,
	`day` integer NOT NULL,
	`effects` integer NOT NULL,
	`left_out` integer DEFAULT 0 NOT NULL,
	`left_out_since` integer,
	PRIMARY KEY(`party`, `day`)
);
--> statement-breakpoint
CREATE INDEX `audit_budgets_day` ON `audit_budgets` (`day`);--> statement-breakpoint
CREATE INDEX `audit_budgets_left_out` ON `audit_budgets` (`left_out_since`) WHERE "audit_budgets"."left_out_since" is not null;