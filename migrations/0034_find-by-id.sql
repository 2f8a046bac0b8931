CREATE INDEX `api_keys_name` ON `api_keys` ("name" collate nocase);--> statement-breakpoint
CREATE INDEX `api_keys_start` ON `api_keys` (`start`);--> statement-breakpoint
CREATE INDEX `oauth_applications_name` ON `oauth_applications` ("name" collate nocase);