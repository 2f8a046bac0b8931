CREATE TABLE `billing_customers` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`data` text NOT NULL,
	`as_of` integer NOT NULL,
	`state_as_of` integer NOT NULL,
	`deleted` integer NOT NULL,
	`received_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `billing_customers_user` ON `billing_customers` (`user_id`);--> statement-breakpoint
CREATE TABLE `billing_entitlements` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`customer_id` text NOT NULL,
	`active` integer NOT NULL,
	`data` text NOT NULL,
	`as_of` integer NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`),
	FOREIGN KEY (`customer_id`) REFERENCES `billing_customers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `billing_entitlements_customer` ON `billing_entitlements` (`customer_id`);--> statement-breakpoint
CREATE TABLE `billing_usage_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`metadata` text NOT NULL,
	`at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`batch` text,
	`refusal` text
);
--> statement-breakpoint
CREATE INDEX `billing_usage_events_next` ON `billing_usage_events` (`next_at`);--> statement-breakpoint
CREATE TABLE `billing_webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`done` integer NOT NULL,
	`payload` text,
	`attempts` integer NOT NULL,
	`next_at` integer,
	`last_error` text,
	`signed_at` integer NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `billing_webhooks_next` ON `billing_webhooks` (`next_at`);--> statement-breakpoint
CREATE INDEX `billing_webhooks_received` ON `billing_webhooks` (`received_at`);