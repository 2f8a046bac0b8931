DROP INDEX `members_user`;--> statement-breakpoint
CREATE INDEX `members_user` ON `members` (`user_id`,`is_chosen`);--> statement-breakpoint
DROP INDEX `sessions_active_organization`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `number` integer;--> statement-breakpoint
CREATE INDEX `sessions_active_organization` ON `sessions` (`active_organization_id`) WHERE "sessions"."active_organization_id" is not null;--> statement-breakpoint
ALTER TABLE `security_events` ADD `number` integer;--> statement-breakpoint
CREATE INDEX `security_events_sign_ins` ON `security_events` (`user_id`,`country`,`user_agent`) WHERE "security_events"."type" = 'sign-in';