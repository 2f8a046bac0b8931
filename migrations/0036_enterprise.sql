CREATE TABLE `connections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`state` text NOT NULL,
	`config` text NOT NULL,
	`mapping` text NOT NULL,
	`secret` text,
	`last_test` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `connections_organization` ON `connections` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `organization_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`domain` text NOT NULL,
	`token` text NOT NULL,
	`verified_at` integer,
	`checked_at` integer NOT NULL,
	`missing_since` integer,
	`connection_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_claim` ON `organization_domains` (`organization_id`,`domain`);--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_owner` ON `organization_domains` (`domain`) WHERE "organization_domains"."verified_at" is not null;--> statement-breakpoint
CREATE INDEX `organization_domains_check` ON `organization_domains` (`checked_at`) WHERE "organization_domains"."verified_at" is not null;--> statement-breakpoint
CREATE INDEX `organization_domains_pending` ON `organization_domains` (`created_at`) WHERE "organization_domains"."verified_at" is null;--> statement-breakpoint
CREATE INDEX `organization_domains_connection` ON `organization_domains` (`connection_id`);--> statement-breakpoint
CREATE TABLE `break_glass_members` (
	`member_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sign_in_policies` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`allowed_methods` text,
	`second_factor_since` integer,
	`joins_automatically` integer DEFAULT false NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_in_policies_second_factor` ON `sign_in_policies` (`second_factor_since`);