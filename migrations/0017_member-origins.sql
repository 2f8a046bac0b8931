ALTER TABLE `members` ADD `origin` text;--> statement-breakpoint
ALTER TABLE `members` ADD `origin_id` text;--> statement-breakpoint
ALTER TABLE `members` ADD `role_changed_at` integer;