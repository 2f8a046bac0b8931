CREATE TABLE `oauth_resources` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`access_token_expires_in` integer,
	`introspected_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_resources_identifier_unique` ON `oauth_resources` (`identifier`);--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_resource` ON `oauth_access_tokens` (`resource`) WHERE resource is not null;--> statement-breakpoint
CREATE INDEX `oauth_access_tokens_resources` ON `oauth_access_tokens` (`granted_resources`) WHERE granted_resources is not null;