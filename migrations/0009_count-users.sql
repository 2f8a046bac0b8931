-- Counting reads every row, so the number of users is kept by triggers: whatever way one is written or deleted.
INSERT INTO `table_counts` (`name`, `value`) SELECT 'users', count(*) FROM `users`;
--> statement-breakpoint
CREATE TRIGGER `users_counted_in` AFTER INSERT ON `users` BEGIN
	UPDATE `table_counts` SET `value` = `value` + 1 WHERE `name` = 'users';
END;
--> statement-breakpoint
CREATE TRIGGER `users_counted_out` AFTER DELETE ON `users` BEGIN
	UPDATE `table_counts` SET `value` = `value` - 1 WHERE `name` = 'users';
END;
