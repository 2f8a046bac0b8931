CREATE TABLE `audit_segment_parts` (
	`organization_id` text NOT NULL,
	`first_number` integer NOT NULL,
	`last_number` integer NOT NULL,
	`segment` integer NOT NULL,
	`offset` integer NOT NULL,
	`length` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`organization_id`, `first_number`)
);
--> statement-breakpoint
CREATE INDEX `audit_segment_parts_segment` ON `audit_segment_parts` (`segment`);--> statement-breakpoint
CREATE TABLE `audit_segments` (
	`first_seq` integer PRIMARY KEY NOT NULL,
	`last_seq` integer NOT NULL,
	`state` text NOT NULL,
	`records` integer NOT NULL,
	`object` text DEFAULT '' NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`sha256` text DEFAULT '' NOT NULL,
	`hash` text DEFAULT '' NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_segments_state` ON `audit_segments` (`state`);