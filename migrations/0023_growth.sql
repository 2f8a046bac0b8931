ALTER TABLE `users` ADD `guest_seen_at` integer;--> statement-breakpoint
CREATE INDEX `users_guests` ON `users` (case when "guest_seen_at" is null then "created_at" else "guest_seen_at" end) WHERE "users"."is_anonymous" = 1;--> statement-breakpoint
CREATE INDEX `oauth_applications_unowned` ON `oauth_applications` (`updated_at`) WHERE "oauth_applications"."user_id" is null;--> statement-breakpoint
CREATE INDEX `oauth_consents_client` ON `oauth_consents` (`client_id`);--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE INDEX `tasks_creation` ON `tasks` (`created_at`);