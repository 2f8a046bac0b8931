CREATE TABLE `admin_audit` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`action` text NOT NULL,
	`actor_id` text,
	`subject_id` text NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`before` text NOT NULL,
	`after` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `admin_audit_time` ON `admin_audit` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `admin_audit_subject` ON `admin_audit` (`subject_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `admin_audit_actor` ON `admin_audit` (`actor_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `table_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_impersonator` ON `sessions` (`impersonated_by`) WHERE "sessions"."impersonated_by" is not null;--> statement-breakpoint
CREATE INDEX `users_creation` ON `users` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_name` ON `users` ("name" collate nocase,`id`);--> statement-breakpoint
CREATE INDEX `users_staff` ON `users` (`created_at`,`id`) WHERE "users"."role" <> 'user';--> statement-breakpoint
CREATE INDEX `users_banned` ON `users` (`created_at`,`id`) WHERE "users"."banned" = 1;