CREATE TABLE `audit_erasures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`until_seq` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `audit_segments` ADD `erased_to` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_segments` ADD `erasing_to` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_segments` ADD `old_objects` text DEFAULT '[]' NOT NULL;