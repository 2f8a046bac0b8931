CREATE TABLE `audit_streams` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`name` text NOT NULL,
	`sink` text NOT NULL,
	`secret` text NOT NULL,
	`format` text NOT NULL,
	`state` text NOT NULL,
	`cursor` integer NOT NULL,
	`unconfirmed` text,
	`failing_since` integer,
	`last_failure` text,
	`last_delivered_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `audit_streams_organization` ON `audit_streams` (`organization_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `audit_streams_state` ON `audit_streams` (`state`);