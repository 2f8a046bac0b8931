CREATE TABLE `agent_activity` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`event` text NOT NULL,
	`user_id` text,
	`resource` text,
	`scopes` text,
	`through` text,
	`units` integer,
	`action` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `oauth_applications`(`client_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `agent_activity_client` ON `agent_activity` (`client_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `agent_activity_user` ON `agent_activity` (`user_id`);--> statement-breakpoint
CREATE INDEX `agent_activity_time` ON `agent_activity` (`created_at`);--> statement-breakpoint
ALTER TABLE `oauth_applications` ADD `organization_id` text REFERENCES organizations(id);--> statement-breakpoint
ALTER TABLE `oauth_applications` ADD `agent` text;--> statement-breakpoint
ALTER TABLE `oauth_applications` ADD `agent_state` text;--> statement-breakpoint
ALTER TABLE `oauth_applications` ADD `agent_expires_at` integer;--> statement-breakpoint
CREATE INDEX `oauth_applications_organization` ON `oauth_applications` (`organization_id`);--> statement-breakpoint
CREATE INDEX `oauth_applications_agents` ON `oauth_applications` (`created_at`) WHERE "oauth_applications"."agent" is not null;--> statement-breakpoint
CREATE INDEX `oauth_applications_agent_end` ON `oauth_applications` (`agent_expires_at`);--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `chain` text;