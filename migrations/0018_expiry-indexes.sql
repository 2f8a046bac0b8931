CREATE INDEX `oauth_access_tokens_expiry` ON `oauth_access_tokens` (`refresh_token_expires_at`,`access_token_expires_at`);--> statement-breakpoint
CREATE INDEX `trusted_devices_two_factor` ON `trusted_devices` (`two_factor_id`);--> statement-breakpoint
CREATE INDEX `trusted_devices_expiry` ON `trusted_devices` (`expires_at`);--> statement-breakpoint
CREATE INDEX `two_factors_set_ups` ON `two_factors` (`confirmed`,`created_at`);