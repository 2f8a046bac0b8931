CREATE INDEX `oauth_access_tokens_expiry` ON `oauth_access_tokens` (`refresh_token_expires_at`,`access_token_expires_at`);--> statement-breakpoint
CREATE INDEX `trusted_devices_two_factor` ON `trusted_devices` (`two_factor_id`);--> statement-breakpoint
CREATE INDEX `trusted_devices_expiry` ON `trusted_devices` (`expires_at`);--> statement-breakpoint
CREATE INDEX `two_factors_set_ups` ON `two_factors` (`confirmed`,`created_at`);--> statement-breakpoint
CREATE TABLE `security_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`outcome` text NOT NULL,
	`method` text,
	`session_id` text,
	`actor_id` text,
	`details` text DEFAULT '{}' NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`city` text,
	`country` text,
	`request_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `security_events_user` ON `security_events` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `security_events_age` ON `security_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `stored_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `access` text DEFAULT 'full' NOT NULL;--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `amr` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `granted_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `authenticated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `amr` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `phone_number_changed_at` integer;--> statement-breakpoint
UPDATE `sessions` SET `authenticated_at` = `created_at`;--> statement-breakpoint
UPDATE `oauth_access_tokens` SET `granted_at` = `created_at`;--> statement-breakpoint
CREATE TABLE `resealing` (
	`name` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`position` integer NOT NULL,
	`changed` integer NOT NULL,
	`unreadable` integer NOT NULL,
	`resealed` integer NOT NULL,
	`finished_at` integer,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `oauth_applications` ADD `resources` text;--> statement-breakpoint
-- Clients that got refresh tokens before the refresh grant was needed for them keep getting them.
UPDATE `oauth_applications` SET `registration` = json_insert(`registration`, '$.grant_types[#]', 'refresh_token')
WHERE NOT EXISTS (SELECT 1 FROM json_each(`registration`, '$.grant_types') WHERE value = 'refresh_token')
  AND EXISTS (SELECT 1 FROM `oauth_access_tokens`
    WHERE `oauth_access_tokens`.`client_id` = `oauth_applications`.`client_id` AND `refresh_token` IS NOT NULL);
--> statement-breakpoint
-- Only native clients have redirect URIs with a private-use scheme (RFC 8252, section 7.1).
UPDATE `oauth_applications` SET `registration` = json_set(`registration`, '$.application_type', 'native')
WHERE json_extract(`registration`, '$.application_type') IS NULL
  AND EXISTS (SELECT 1 FROM json_each(`redirect_urls`) WHERE value NOT LIKE 'http%');
--> statement-breakpoint
CREATE TABLE `address_reverts` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`changed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `address_reverts_user` ON `address_reverts` (`user_id`);--> statement-breakpoint
CREATE INDEX `address_reverts_expiry` ON `address_reverts` (`expires_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `guest_seen_at` integer;--> statement-breakpoint
CREATE INDEX `users_guests` ON `users` (case when "guest_seen_at" is null then "created_at" else "guest_seen_at" end) WHERE "users"."is_anonymous" = 1;--> statement-breakpoint
CREATE INDEX `oauth_applications_unowned` ON `oauth_applications` (`updated_at`) WHERE "oauth_applications"."user_id" is null;--> statement-breakpoint
CREATE INDEX `oauth_consents_client` ON `oauth_consents` (`client_id`);--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
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
SELECT `id`, CASE `kind` WHEN 'new-mail' THEN 'mail' ELSE `kind` END, `payload`, CASE `kind` WHEN 'mail' THEN max(`attempts`, 1) ELSE `attempts` END, `next_at`, 'pending', `last_error`, `created_at` FROM `tasks` ORDER BY `created_at`;
--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
SELECT `id`, 'webhook/' || `endpoint`, `subject`, json_object('type', `type`, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', `created_at` / 1000.0, 'unixepoch'), 'data', json(`data`)), `attempts`, CASE `state` WHEN 'failed' THEN `settled_at` + 2592000000 ELSE `next_at` END, `state`, CASE `state` WHEN 'failed' THEN `settled_at` ELSE `pending_since` END, `last_error`, `created_at` FROM `webhook_deliveries` WHERE `state` <> 'delivered' ORDER BY `seq`;
--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
SELECT 'billing-inbox:' || `id`, 'billing-inbox/' || `type`, `payload`, `attempts`, CASE WHEN `done` OR `next_at` IS NULL THEN `received_at` + 7776000000 ELSE `next_at` END, CASE WHEN `done` THEN 'done' WHEN `next_at` IS NULL THEN 'failed' ELSE 'pending' END, CASE WHEN `done` OR `next_at` IS NULL THEN `received_at` END, `last_error`, `signed_at` FROM `billing_webhooks` ORDER BY `received_at`;
--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `payload`, `attempts`, `next_at`, `state`, `settled_at`, `last_error`, `created_at`)
SELECT 'billing-usage:' || `id`, 'billing-usage', json_object('id', `id`, 'userId', `user_id`, 'event', `name`, 'metadata', json(`metadata`), 'at', `at`), `batch` IS NOT NULL, CASE WHEN `refusal` IS NULL THEN `next_at` ELSE `next_at` + 7776000000 END, CASE WHEN `refusal` IS NULL THEN 'pending' ELSE 'failed' END, CASE WHEN `refusal` IS NOT NULL THEN `next_at` END, `refusal`, `at` FROM `billing_usage_events` ORDER BY `at`;
--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `key`, `payload`, `attempts`, `next_at`, `state`, `created_at`)
SELECT 'logout:' || t.`client_id` || ':' || t.`session_id`, 'logout/' || t.`client_id`, t.`session_id`, json_object('userId', t.`user_id`, 'sessionId', t.`session_id`), 0, coalesce(s.`expires_at`, unixepoch() * 1000), CASE WHEN s.`id` IS NULL THEN 'pending' ELSE 'held' END, unixepoch() * 1000
FROM `oauth_access_tokens` t INNER JOIN `oauth_applications` a ON a.`client_id` = t.`client_id` LEFT JOIN `sessions` s ON s.`id` = t.`session_id`
WHERE t.`session_id` IS NOT NULL AND json_extract(a.`registration`, '$.backchannel_logout_uri') IS NOT NULL GROUP BY t.`client_id`, t.`session_id`;
--> statement-breakpoint
DROP TABLE `billing_webhooks`;--> statement-breakpoint
DROP TABLE `billing_usage_events`;--> statement-breakpoint
DROP TABLE `webhook_deliveries`;--> statement-breakpoint
DROP TABLE `tasks`;--> statement-breakpoint
CREATE TABLE `team_members` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`member_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`member_id`) REFERENCES `members`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `team_members_member` ON `team_members` (`member_id`,`team_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `team_members_team` ON `team_members` (`team_id`,`member_id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `active_team_id` text;--> statement-breakpoint
CREATE TABLE `billing_products` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text,
	`as_of` integer NOT NULL,
	`read_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `organization_logos` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`bytes` blob NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_logos_name_unique` ON `organization_logos` (`name`);--> statement-breakpoint
CREATE TABLE `active_users` (
	`user_id` text PRIMARY KEY NOT NULL,
	`last_day` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `active_users_day` ON `active_users` (`last_day`);--> statement-breakpoint
CREATE TABLE `count_progress` (
	`name` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`label` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `name`, `label`)
);
--> statement-breakpoint
CREATE INDEX `sessions_use` ON `sessions` (`updated_at`);--> statement-breakpoint
CREATE INDEX `security_events_type` ON `security_events` (`type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `organizations_creation` ON `organizations` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `organizations_name` ON `organizations` ("name" collate nocase,`id`);--> statement-breakpoint
CREATE TABLE `oauth_service_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`access_token` text NOT NULL,
	`client_id` text NOT NULL,
	`scopes` text NOT NULL,
	`resource` text NOT NULL,
	`key_thumbprint` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_service_tokens_access_token_unique` ON `oauth_service_tokens` (`access_token`);--> statement-breakpoint
CREATE INDEX `oauth_service_tokens_expiry` ON `oauth_service_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `granted_resources` text;--> statement-breakpoint
CREATE TABLE `server_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`start` text NOT NULL,
	`key_hash` text NOT NULL,
	`permissions` text NOT NULL,
	`addresses` text NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `server_keys_key_hash_unique` ON `server_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `server_keys_expiry` ON `server_keys` (`expires_at`);--> statement-breakpoint
CREATE INDEX `server_keys_creator` ON `server_keys` (`created_by`);--> statement-breakpoint
CREATE TABLE `server_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`input_hash` text NOT NULL,
	`locked_until` integer NOT NULL,
	`status` integer,
	`answer` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`key_id`) REFERENCES `server_keys`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `server_requests_expiry` ON `server_requests` (`expires_at`);--> statement-breakpoint
CREATE INDEX `server_requests_key` ON `server_requests` (`key_id`);--> statement-breakpoint
CREATE TABLE `deployment` (
	`id` integer PRIMARY KEY NOT NULL,
	`base_url` text NOT NULL,
	`locked_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `claims` text;--> statement-breakpoint
CREATE INDEX `members_joining` ON `members` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
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
ALTER TABLE `oauth_access_tokens` ADD `chain` text;--> statement-breakpoint
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
CREATE INDEX `sign_in_policies_second_factor` ON `sign_in_policies` (`second_factor_since`);--> statement-breakpoint
ALTER TABLE `oauth_access_tokens` ADD `authorization_details` text;--> statement-breakpoint
CREATE TABLE `setup_links` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	`requests` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `setup_links_token_hash_unique` ON `setup_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `setup_links_expiry` ON `setup_links` (`expires_at`);--> statement-breakpoint
CREATE INDEX `setup_links_creator` ON `setup_links` (`created_by`);--> statement-breakpoint
ALTER TABLE `connections` ADD `draft_config` text;--> statement-breakpoint
ALTER TABLE `connections` ADD `draft_secret` text;--> statement-breakpoint
CREATE TABLE `directory_group_members` (
	`group_id` text NOT NULL,
	`entry_id` text NOT NULL,
	`connection_id` text NOT NULL,
	PRIMARY KEY(`group_id`, `entry_id`),
	FOREIGN KEY (`group_id`) REFERENCES `directory_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`entry_id`) REFERENCES `directory_users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `directory_group_members_entry` ON `directory_group_members` (`entry_id`);--> statement-breakpoint
CREATE INDEX `directory_group_members_connection` ON `directory_group_members` (`connection_id`);--> statement-breakpoint
CREATE TABLE `directory_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`display_name` text NOT NULL,
	`external_id` text,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `directory_groups_order` ON `directory_groups` (`connection_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `directory_groups_external` ON `directory_groups` (`connection_id`,`external_id`);--> statement-breakpoint
CREATE TABLE `directory_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`start` text NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_tokens_token_hash_unique` ON `directory_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `directory_tokens_connection` ON `directory_tokens` (`connection_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `directory_tokens_expiry` ON `directory_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `directory_tokens_creator` ON `directory_tokens` (`created_by`);--> statement-breakpoint
CREATE TABLE `directory_departures` (
	`connection_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `connection_id`),
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `directory_departures_connection` ON `directory_departures` (`connection_id`);--> statement-breakpoint
CREATE TABLE `directory_users` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`user_name` text NOT NULL,
	`external_id` text,
	`active` integer NOT NULL,
	`access` text NOT NULL,
	`user_id` text,
	`data` text NOT NULL,
	`version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `directory_users_name` ON `directory_users` (`connection_id`,`user_name`);--> statement-breakpoint
CREATE UNIQUE INDEX `directory_users_account` ON `directory_users` (`connection_id`,`user_id`) WHERE "directory_users"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `directory_users_external` ON `directory_users` (`connection_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `directory_users_order` ON `directory_users` (`connection_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `oauth_provider_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `oauth_applications`(`client_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oauth_provider_grants_person` ON `oauth_provider_grants` (`user_id`,`client_id`,`provider_id`);--> statement-breakpoint
CREATE INDEX `oauth_provider_grants_client` ON `oauth_provider_grants` (`client_id`);--> statement-breakpoint
CREATE INDEX `oauth_provider_grants_account` ON `oauth_provider_grants` (`account_id`);--> statement-breakpoint
ALTER TABLE `connections` ADD `own_keys` text;--> statement-breakpoint
ALTER TABLE `connections` ADD `own_certificates` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `connections` ADD `refresh_at` integer;--> statement-breakpoint
ALTER TABLE `connections` ADD `notice_at` integer;--> statement-breakpoint
CREATE INDEX `connections_refresh` ON `connections` (`refresh_at`) WHERE "connections"."refresh_at" is not null;--> statement-breakpoint
CREATE INDEX `connections_notice` ON `connections` (`notice_at`) WHERE "connections"."notice_at" is not null;--> statement-breakpoint
ALTER TABLE `organization_domains` ADD `unanswered_since` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `upstream` text;--> statement-breakpoint
CREATE TABLE `signal_events` (
	`id` text PRIMARY KEY NOT NULL,
	`receiver_id` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`receiver_id`) REFERENCES `signal_receivers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `signal_events_receiver` ON `signal_events` (`receiver_id`);--> statement-breakpoint
CREATE INDEX `signal_events_age` ON `signal_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `signal_receivers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`audience` text NOT NULL,
	`events` text NOT NULL,
	`url` text,
	`authorization` text,
	`token_hash` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`verified_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signal_receivers_token_hash_unique` ON `signal_receivers` (`token_hash`);--> statement-breakpoint
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
CREATE INDEX `approval_requests_time` ON `approval_requests` (`created_at`);--> statement-breakpoint
CREATE TABLE `audit_chains` (
	`chain` text PRIMARY KEY NOT NULL,
	`sealed_seq` integer NOT NULL,
	`sealed_hash` text NOT NULL,
	`deleted_seq` integer DEFAULT 0 NOT NULL,
	`deleted_hash` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_records` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	`action` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`actor_via` text,
	`on_behalf_of` text,
	`subject_type` text NOT NULL,
	`subject_id` text,
	`organization_id` text,
	`organization_seq` integer,
	`ip_address` text,
	`user_agent` text,
	`request_id` text,
	`before` text DEFAULT '{}' NOT NULL,
	`after` text DEFAULT '{}' NOT NULL,
	`hash` text,
	`organization_hash` text
);
--> statement-breakpoint
CREATE INDEX `audit_records_time` ON `audit_records` (`created_at`);--> statement-breakpoint
CREATE INDEX `audit_records_subject` ON `audit_records` (`subject_id`);--> statement-breakpoint
CREATE INDEX `audit_records_actor` ON `audit_records` (`actor_id`);--> statement-breakpoint
CREATE INDEX `audit_records_action` ON `audit_records` (`action`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_records_organization` ON `audit_records` (`organization_id`,`organization_seq`) WHERE "audit_records"."organization_id" is not null;--> statement-breakpoint
INSERT INTO `audit_records` (`id`, `created_at`, `action`, `actor_type`, `actor_id`, `subject_type`, `subject_id`, `ip_address`, `user_agent`, `before`, `after`)
SELECT `id`, `created_at`, `action`,
	CASE WHEN `actor_id` IS NOT NULL THEN 'administrator' WHEN json_extract(`after`, '$.serverKey') IS NOT NULL THEN 'server-key' ELSE 'server' END,
	`actor_id`,
	CASE WHEN `action` IN ('create-server-key', 'revoke-server-key') THEN 'server-key' WHEN `action` IN ('update-organization', 'delete-organization') THEN 'organization' ELSE 'user' END,
	`subject_id`, `ip_address`, `user_agent`, `before`, `after`
FROM `admin_audit` ORDER BY `created_at`, `id`;
--> statement-breakpoint
DROP TABLE `admin_audit`;
--> statement-breakpoint
CREATE TABLE `active_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `active_days` (`day`, `count`) SELECT `last_day`, count(*) FROM `active_users` GROUP BY `last_day`;
--> statement-breakpoint
CREATE TABLE `audit_checkpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`chain` text NOT NULL,
	`created_at` integer NOT NULL,
	`token` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_checkpoints_chain` ON `audit_checkpoints` (`chain`,`created_at`);--> statement-breakpoint
ALTER TABLE `audit_chains` ADD `checkpoint_due` integer;--> statement-breakpoint
CREATE INDEX `audit_chains_checkpoint` ON `audit_chains` (`checkpoint_due`) WHERE "audit_chains"."checkpoint_due" is not null;
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
ALTER TABLE `members` ADD `origin` text;--> statement-breakpoint
ALTER TABLE `members` ADD `origin_id` text;--> statement-breakpoint
ALTER TABLE `members` ADD `role_changed_at` integer;
--> statement-breakpoint
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
