ALTER TABLE `oauth_applications` ADD `previous_secret` text;--> statement-breakpoint
ALTER TABLE `oauth_applications` ADD `previous_secret_ends_at` integer;--> statement-breakpoint
ALTER TABLE `oauth_applications` ADD `service` text;--> statement-breakpoint
CREATE INDEX `oauth_applications_services` ON `oauth_applications` (`created_at`) WHERE "oauth_applications"."service" is not null;--> statement-breakpoint
ALTER TABLE `oauth_resources` ADD `organization_id` text;--> statement-breakpoint
ALTER TABLE `oauth_resources` ADD `token_format` text DEFAULT 'opaque' NOT NULL;--> statement-breakpoint
ALTER TABLE `oauth_resources` ADD `claims` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `oauth_resources_organization` ON `oauth_resources` (`organization_id`) WHERE organization_id is not null;--> statement-breakpoint
CREATE INDEX `oauth_resources_jwt` ON `oauth_resources` (`token_format`) WHERE token_format = 'jwt';--> statement-breakpoint
CREATE INDEX `oauth_service_tokens_resource` ON `oauth_service_tokens` (`resource`);