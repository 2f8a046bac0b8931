CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`key` text,
	`payload` text,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`state` text NOT NULL,
	`settled_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`kind`,`next_at`) WHERE "jobs"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `jobs_order` ON `jobs` (`kind`,`key`) WHERE "jobs"."state" = 'pending' and "jobs"."key" is not null;--> statement-breakpoint
CREATE INDEX `jobs_age` ON `jobs` (`created_at`) WHERE "jobs"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `jobs_held` ON `jobs` (`key`) WHERE "jobs"."state" = 'held';--> statement-breakpoint
CREATE INDEX `jobs_settled` ON `jobs` (`state`,`next_at`) WHERE "jobs"."state" <> 'pending';--> statement-breakpoint
CREATE INDEX `jobs_undelivered` ON `jobs` (`created_at`) WHERE "jobs"."state" = 'failed' or ("jobs"."state" = 'pending' and "jobs"."attempts" > 0);--> statement-breakpoint
-- Work that waits is carried over: tasks, webhooks, billing events, usage, and messages to clients of ended sessions.
INSERT INTO `jobs` (`id`, `kind`, `payload`, `attempts`, `next_at`, `state`, `last_error`, `created_at`)
SELECT `id`, CASE `kind` WHEN 'new-mail' THEN 'mail' ELSE `kind` END, `payload`, CASE `kind` WHEN 'mail' THEN max(`attempts`, 1) ELSE `attempts` END, `next_at`, 'pending', `last_error`, `created_at` FROM `tasks` ORDER BY `created_at`;--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
SELECT `id`, 'webhook/' || `endpoint`, `subject`, json_object('type', `type`, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', `created_at` / 1000.0, 'unixepoch'), 'data', json(`data`)), `attempts`, CASE `state` WHEN 'failed' THEN `settled_at` + 2592000000 ELSE `next_at` END, `state`, CASE `state` WHEN 'failed' THEN `settled_at` ELSE `pending_since` END, `last_error`, `created_at` FROM `webhook_deliveries` WHERE `state` <> 'delivered' ORDER BY `seq`;--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
SELECT 'billing-inbox:' || `id`, 'billing-inbox/' || `type`, `payload`, `attempts`, CASE WHEN `done` OR `next_at` IS NULL THEN `received_at` + 7776000000 ELSE `next_at` END, CASE WHEN `done` THEN 'done' WHEN `next_at` IS NULL THEN 'failed' ELSE 'pending' END, CASE WHEN `done` OR `next_at` IS NULL THEN `received_at` END, `last_error`, `signed_at` FROM `billing_webhooks` ORDER BY `received_at`;--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
SELECT 'billing-usage:' || `id`, 'billing-usage', json_object('id', `id`, 'userId', `user_id`, 'event', `name`, 'metadata', json(`metadata`), 'at', `at`), `batch` IS NOT NULL, CASE WHEN `refusal` IS NULL THEN `next_at` ELSE `next_at` + 7776000000 END, CASE WHEN `refusal` IS NULL THEN 'pending' ELSE 'failed' END, CASE WHEN `refusal` IS NOT NULL THEN `next_at` END, `refusal`, `at` FROM `billing_usage_events` ORDER BY `at`;--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `created_at`)
SELECT 'logout:' || t.`client_id` || ':' || t.`session_id`, 'logout/' || t.`client_id`, t.`session_id`, json_object('userId', t.`user_id`, 'sessionId', t.`session_id`), 0, coalesce(s.`expires_at`, unixepoch() * 1000), CASE WHEN s.`id` IS NULL THEN 'pending' ELSE 'held' END, unixepoch() * 1000
FROM `oauth_access_tokens` t INNER JOIN `oauth_applications` a ON a.`client_id` = t.`client_id` LEFT JOIN `sessions` s ON s.`id` = t.`session_id`
WHERE t.`session_id` IS NOT NULL AND json_extract(a.`registration`, '$.backchannel_logout_uri') IS NOT NULL AND (s.`id` IS NOT NULL OR t.`session_id` IN (SELECT `session_id` FROM `ended_sessions`)) GROUP BY t.`client_id`, t.`session_id`;--> statement-breakpoint
DELETE FROM `resealing` WHERE `name` IN ('tasks.payload', 'billing_webhooks.payload');--> statement-breakpoint
DROP TRIGGER `sessions_ended`;--> statement-breakpoint
DROP TABLE `billing_webhooks`;--> statement-breakpoint
DROP TABLE `billing_usage_events`;--> statement-breakpoint
DROP TABLE `ended_sessions`;--> statement-breakpoint
DROP TABLE `webhook_deliveries`;--> statement-breakpoint
DROP TABLE `tasks`;--> statement-breakpoint
ALTER TABLE `sessions` DROP COLUMN `end_is_awaited`;