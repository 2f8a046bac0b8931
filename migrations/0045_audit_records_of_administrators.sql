INSERT INTO `audit_records` (`id`, `created_at`, `action`, `actor_type`, `actor_id`, `subject_type`, `subject_id`, `ip_address`, `user_agent`, `before`, `after`)
SELECT `id`, `created_at`, `action`,
	CASE WHEN `actor_id` IS NOT NULL THEN 'administrator' WHEN json_extract(`after`, '$.serverKey') IS NOT NULL THEN 'server-key' ELSE 'server' END,
	`actor_id`,
	CASE WHEN `action` IN ('create-server-key', 'revoke-server-key') THEN 'server-key' WHEN `action` IN ('update-organization', 'delete-organization') THEN 'organization' ELSE 'user' END,
	`subject_id`, `ip_address`, `user_agent`, `before`, `after`
FROM `admin_audit` ORDER BY `created_at`, `id`;--> statement-breakpoint
DROP TABLE `admin_audit`;
