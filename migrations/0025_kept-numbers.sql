-- The bytes of all directories. A write of a directory is compared with them.
INSERT INTO `table_counts` (`name`, `value`) SELECT 'directory-bytes', coalesce(sum(`bytes`), 0) FROM `directory_usage`;
--> statement-breakpoint
CREATE TRIGGER `directory_bytes_in` AFTER INSERT ON `directory_usage` BEGIN
	UPDATE `table_counts` SET `value` = `value` + NEW.`bytes` WHERE `name` = 'directory-bytes';
END;
--> statement-breakpoint
CREATE TRIGGER `directory_bytes_changed` AFTER UPDATE OF `bytes` ON `directory_usage` BEGIN
	UPDATE `table_counts` SET `value` = `value` + NEW.`bytes` - OLD.`bytes` WHERE `name` = 'directory-bytes';
END;
--> statement-breakpoint
CREATE TRIGGER `directory_bytes_out` AFTER DELETE ON `directory_usage` BEGIN
	UPDATE `table_counts` SET `value` = `value` - OLD.`bytes` WHERE `name` = 'directory-bytes';
END;
--> statement-breakpoint
-- An uploaded picture goes with the last reference to it. Before, the cron trigger compared all pictures with their users.
DELETE FROM `avatars` WHERE NOT EXISTS (
	SELECT 1 FROM `users` WHERE `users`.`id` = `avatars`.`user_id` AND instr(coalesce(`users`.`image`, ''), `avatars`.`name`) > 0
);
--> statement-breakpoint
CREATE TRIGGER `avatars_replaced` AFTER UPDATE OF `image` ON `users` WHEN OLD.`image` IS NOT NEW.`image` BEGIN
	DELETE FROM `avatars` WHERE `user_id` = NEW.`id` AND instr(coalesce(NEW.`image`, ''), `name`) = 0;
END;
