CREATE TABLE `approval_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text,
	`authorization_details` text,
	`binding_message` text,
	`acr_values` text,
	`notification_token` text,
	`ip_address` text,
	`city` text,
	`country` text,
	`state` text NOT NULL,
	`session_id` text,
	`security_version` integer,
	`auth_time` integer,
	`amr` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`answered_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `approval_requests_user` ON `approval_requests` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `approval_requests_pending` ON `approval_requests` (`user_id`,`expires_at`) WHERE "approval_requests"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `approval_requests_time` ON `approval_requests` (`created_at`);