CREATE TABLE `ended_sessions` (
	`session_id` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- Ended while nobody wrote it down, and not told to every client yet.
INSERT INTO `ended_sessions` (`session_id`) SELECT DISTINCT `session_id` FROM `oauth_access_tokens` WHERE `session_id` IS NOT NULL AND `session_id` NOT IN (SELECT `id` FROM `sessions`);
--> statement-breakpoint
CREATE TRIGGER `sessions_ended` AFTER DELETE ON `sessions` WHEN OLD.`end_is_awaited` BEGIN
	INSERT OR IGNORE INTO `ended_sessions` (`session_id`) VALUES (OLD.`id`);
END;
