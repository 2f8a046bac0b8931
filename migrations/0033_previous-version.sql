-- The tables of 0.2.0 that 0016 replaced, empty: its Worker runs on this schema while the new one is deployed, and after a
-- rollback. Triggers carry over what it writes. This version does not read these tables.
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tasks_next` ON `tasks` (`next_at`);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`endpoint` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`pending_since` integer NOT NULL,
	`settled_at` integer,
	`last_error` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_id_unique` ON `webhook_deliveries` (`id`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_at`) WHERE "webhook_deliveries"."state" = 'pending';
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_queue` ON `webhook_deliveries` (`endpoint`,`subject`,`seq`) WHERE "webhook_deliveries"."state" = 'pending';
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_settled` ON `webhook_deliveries` (`state`,`settled_at`);
--> statement-breakpoint
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
CREATE INDEX `billing_webhooks_next` ON `billing_webhooks` (`next_at`);
--> statement-breakpoint
CREATE INDEX `billing_webhooks_received` ON `billing_webhooks` (`received_at`);
--> statement-breakpoint
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
CREATE INDEX `billing_usage_events_next` ON `billing_usage_events` (`next_at`);
--> statement-breakpoint
CREATE TABLE `admin_audit` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`action` text NOT NULL,
	`actor_id` text,
	`subject_id` text NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`before` text NOT NULL,
	`after` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `admin_audit_time` ON `admin_audit` (`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `admin_audit_subject` ON `admin_audit` (`subject_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `admin_audit_actor` ON `admin_audit` (`actor_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE TRIGGER `tasks_in` AFTER INSERT ON `tasks` BEGIN
	INSERT OR REPLACE INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
	VALUES (NEW.`id`, CASE NEW.`kind` WHEN 'new-mail' THEN 'mail' ELSE NEW.`kind` END, NULL, NEW.`payload`, CASE NEW.`kind` WHEN 'mail' THEN max(NEW.`attempts`, 1) ELSE NEW.`attempts` END, NEW.`next_at`, 'pending', NULL, NEW.`last_error`, NEW.`created_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `tasks_changed` AFTER UPDATE ON `tasks` BEGIN
	INSERT OR REPLACE INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
	VALUES (NEW.`id`, CASE NEW.`kind` WHEN 'new-mail' THEN 'mail' ELSE NEW.`kind` END, NULL, NEW.`payload`, CASE NEW.`kind` WHEN 'mail' THEN max(NEW.`attempts`, 1) ELSE NEW.`attempts` END, NEW.`next_at`, 'pending', NULL, NEW.`last_error`, NEW.`created_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `tasks_out` AFTER DELETE ON `tasks` BEGIN
	DELETE FROM `jobs` WHERE `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_deliveries_in` AFTER INSERT ON `webhook_deliveries` BEGIN
	INSERT OR REPLACE INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
	VALUES (NEW.`id`, 'webhook/' || NEW.`endpoint`, NEW.`subject`, json_object('type', NEW.`type`, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.`created_at` / 1000.0, 'unixepoch'), 'data', json(NEW.`data`)), NEW.`attempts`, CASE NEW.`state` WHEN 'failed' THEN NEW.`settled_at` + 2592000000 ELSE NEW.`next_at` END, NEW.`state`, CASE NEW.`state` WHEN 'failed' THEN NEW.`settled_at` ELSE NEW.`pending_since` END, NEW.`last_error`, NEW.`created_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_deliveries_changed` AFTER UPDATE ON `webhook_deliveries` WHEN NEW.`state` <> 'delivered' BEGIN
	INSERT OR REPLACE INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
	VALUES (NEW.`id`, 'webhook/' || NEW.`endpoint`, NEW.`subject`, json_object('type', NEW.`type`, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', NEW.`created_at` / 1000.0, 'unixepoch'), 'data', json(NEW.`data`)), NEW.`attempts`, CASE NEW.`state` WHEN 'failed' THEN NEW.`settled_at` + 2592000000 ELSE NEW.`next_at` END, NEW.`state`, CASE NEW.`state` WHEN 'failed' THEN NEW.`settled_at` ELSE NEW.`pending_since` END, NEW.`last_error`, NEW.`created_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_deliveries_delivered` AFTER UPDATE ON `webhook_deliveries` WHEN NEW.`state` = 'delivered' BEGIN
	DELETE FROM `jobs` WHERE `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `webhook_deliveries_out` AFTER DELETE ON `webhook_deliveries` BEGIN
	DELETE FROM `jobs` WHERE `id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `billing_webhooks_in` AFTER INSERT ON `billing_webhooks` BEGIN
	INSERT OR REPLACE INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
	VALUES ('billing-inbox:' || NEW.`id`, 'billing-inbox/' || NEW.`type`, NULL, NEW.`payload`, NEW.`attempts`, CASE WHEN NEW.`done` OR NEW.`next_at` IS NULL THEN NEW.`received_at` + 7776000000 ELSE NEW.`next_at` END, CASE WHEN NEW.`done` THEN 'done' WHEN NEW.`next_at` IS NULL THEN 'failed' ELSE 'pending' END, CASE WHEN NEW.`done` OR NEW.`next_at` IS NULL THEN NEW.`received_at` END, NEW.`last_error`, NEW.`signed_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `billing_webhooks_changed` AFTER UPDATE ON `billing_webhooks` BEGIN
	INSERT OR REPLACE INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
	VALUES ('billing-inbox:' || NEW.`id`, 'billing-inbox/' || NEW.`type`, NULL, NEW.`payload`, NEW.`attempts`, CASE WHEN NEW.`done` OR NEW.`next_at` IS NULL THEN NEW.`received_at` + 7776000000 ELSE NEW.`next_at` END, CASE WHEN NEW.`done` THEN 'done' WHEN NEW.`next_at` IS NULL THEN 'failed' ELSE 'pending' END, CASE WHEN NEW.`done` OR NEW.`next_at` IS NULL THEN NEW.`received_at` END, NEW.`last_error`, NEW.`signed_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `billing_webhooks_out` AFTER DELETE ON `billing_webhooks` BEGIN
	DELETE FROM `jobs` WHERE `id` = 'billing-inbox:' || OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `billing_usage_events_in` AFTER INSERT ON `billing_usage_events` BEGIN
	INSERT OR REPLACE INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
	VALUES ('billing-usage:' || NEW.`id`, 'billing-usage', NULL, json_object('id', NEW.`id`, 'userId', NEW.`user_id`, 'event', NEW.`name`, 'metadata', json(NEW.`metadata`), 'at', NEW.`at`), NEW.`batch` IS NOT NULL, CASE WHEN NEW.`refusal` IS NULL THEN NEW.`next_at` ELSE NEW.`next_at` + 7776000000 END, CASE WHEN NEW.`refusal` IS NULL THEN 'pending' ELSE 'failed' END, CASE WHEN NEW.`refusal` IS NOT NULL THEN NEW.`next_at` END, NEW.`refusal`, NEW.`at`);
END;
--> statement-breakpoint
CREATE TRIGGER `billing_usage_events_changed` AFTER UPDATE ON `billing_usage_events` BEGIN
	INSERT OR REPLACE INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
	VALUES ('billing-usage:' || NEW.`id`, 'billing-usage', NULL, json_object('id', NEW.`id`, 'userId', NEW.`user_id`, 'event', NEW.`name`, 'metadata', json(NEW.`metadata`), 'at', NEW.`at`), NEW.`batch` IS NOT NULL, CASE WHEN NEW.`refusal` IS NULL THEN NEW.`next_at` ELSE NEW.`next_at` + 7776000000 END, CASE WHEN NEW.`refusal` IS NULL THEN 'pending' ELSE 'failed' END, CASE WHEN NEW.`refusal` IS NOT NULL THEN NEW.`next_at` END, NEW.`refusal`, NEW.`at`);
END;
--> statement-breakpoint
CREATE TRIGGER `billing_usage_events_out` AFTER DELETE ON `billing_usage_events` BEGIN
	DELETE FROM `jobs` WHERE `id` = 'billing-usage:' || OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `admin_audit_in` AFTER INSERT ON `admin_audit` BEGIN
	INSERT INTO `audit_records` (`id`, `created_at`, `action`, `actor_type`, `actor_id`, `subject_type`, `subject_id`, `ip_address`, `user_agent`, `before`, `after`)
	VALUES (NEW.`id`, NEW.`created_at`, NEW.`action`,
		CASE WHEN NEW.`actor_id` IS NOT NULL THEN 'administrator' WHEN json_extract(NEW.`after`, '$.serverKey') IS NOT NULL THEN 'server-key' ELSE 'server' END,
		NEW.`actor_id`,
		CASE WHEN NEW.`action` IN ('create-server-key', 'revoke-server-key') THEN 'server-key' WHEN NEW.`action` IN ('update-organization', 'delete-organization') THEN 'organization' ELSE 'user' END,
		NEW.`subject_id`, NEW.`ip_address`, NEW.`user_agent`, NEW.`before`, NEW.`after`);
END;
