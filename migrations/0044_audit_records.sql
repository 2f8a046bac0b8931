CREATE TABLE `audit_chains` (
	`chain` text PRIMARY KEY NOT NULL,
	`sealed_seq` integer NOT NULL,
	`sealed_hash` text NOT NULL,
	`deleted_seq` integer DEFAULT 0 NOT NULL,
	`deleted_hash` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_records` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	`action` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`actor_via` text,
	`on_behalf_of` text,
	`subject_type` text NOT NULL,
	`subject_id` text,
	`organization_id` text,
	`organization_seq` integer,
	`ip_address` text,
	`user_agent` text,
	`request_id` text,
	`before` text DEFAULT '{}' NOT NULL,
	`after` text DEFAULT '{}' NOT NULL,
	`hash` text,
	`organization_hash` text
);
--> statement-breakpoint
CREATE INDEX `audit_records_time` ON `audit_records` (`created_at`);--> statement-breakpoint
CREATE INDEX `audit_records_subject` ON `audit_records` (`subject_id`);--> statement-breakpoint
CREATE INDEX `audit_records_actor` ON `audit_records` (`actor_id`);--> statement-breakpoint
CREATE INDEX `audit_records_action` ON `audit_records` (`action`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_records_organization` ON `audit_records` (`organization_id`,`organization_seq`) WHERE "audit_records"."organization_id" is not null;