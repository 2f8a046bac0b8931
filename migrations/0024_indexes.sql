CREATE INDEX `api_keys_connection` ON `api_keys` (`method`) WHERE substr("api_keys"."method", 1, 4) = 'sso-';--> statement-breakpoint
CREATE INDEX `directory_users_person` ON `directory_users` (`user_id`) WHERE "directory_users"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `oauth_applications_pairwise` ON `oauth_applications` (`client_id`) WHERE json_extract("oauth_applications"."registration", '$.subject_type') = 'pairwise';--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_connection` ON `oauth_access_tokens` (`method`) WHERE substr("oauth_access_tokens"."method", 1, 4) = 'sso-';--> statement-breakpoint
CREATE INDEX `sessions_connection` ON `sessions` (`method`) WHERE substr("sessions"."method", 1, 4) = 'sso-';