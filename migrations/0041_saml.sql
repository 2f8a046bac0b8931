ALTER TABLE `connections` ADD `own_keys` text;--> statement-breakpoint
ALTER TABLE `connections` ADD `own_certificates` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `connections` ADD `refresh_at` integer;--> statement-breakpoint
ALTER TABLE `connections` ADD `notice_at` integer;--> statement-breakpoint
CREATE INDEX `connections_refresh` ON `connections` (`refresh_at`) WHERE "connections"."refresh_at" is not null;--> statement-breakpoint
CREATE INDEX `connections_notice` ON `connections` (`notice_at`) WHERE "connections"."notice_at" is not null;--> statement-breakpoint
ALTER TABLE `organization_domains` ADD `unanswered_since` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `upstream` text;