DROP INDEX `audit_records_time`;--> statement-breakpoint
DROP INDEX `audit_records_action`;--> statement-breakpoint
DROP INDEX `audit_records_actor`;--> statement-breakpoint
CREATE INDEX `audit_records_actor` ON `audit_records` (`actor_id`) WHERE "audit_records"."actor_id" is not "audit_records"."subject_id";--> statement-breakpoint
DROP INDEX `security_events_type`;--> statement-breakpoint
DROP INDEX `users_username_unique`;--> statement-breakpoint
DROP INDEX `users_phone_number_unique`;--> statement-breakpoint
CREATE UNIQUE INDEX `users_username` ON `users` (`username`) WHERE "users"."username" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_phone_number` ON `users` (`phone_number`) WHERE "users"."phone_number" is not null;--> statement-breakpoint
DROP INDEX `sessions_use`;--> statement-breakpoint
CREATE INDEX `sessions_use` ON `sessions` (`updated_at`) WHERE "sessions"."updated_at" > "sessions"."created_at";