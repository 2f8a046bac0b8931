-- One id for each sign-in method (decision 287). Only the sign-in log and the statistics have earlier ids; records of the
-- audit log name no method. Each UPDATE reads the events of some types by an index and changes few of them.
UPDATE `security_events` SET `method` = CASE `method` WHEN 'email-code' THEN 'email-otp' WHEN 'phone-code' THEN 'phone-otp' ELSE substr(`method`, 10) END
WHERE `type` IN ('step-up', 'step-up-failed') AND (`method` IN ('email-code', 'phone-code') OR `method` LIKE 'provider:%');--> statement-breakpoint
UPDATE `security_events` SET `method` = 'email-otp' WHERE `type` IN ('sign-in-failed', 'locked-out') AND `method` = 'email-code';--> statement-breakpoint
INSERT INTO `daily_counts` (`day`, `name`, `label`, `count`)
SELECT `day`, `name`, 'email-otp', `count` FROM `daily_counts` WHERE `name` = 'sign-in-failed' AND `label` = 'email-code'
ON CONFLICT (`day`, `name`, `label`) DO UPDATE SET `count` = `count` + excluded.`count`;--> statement-breakpoint
DELETE FROM `daily_counts` WHERE `name` = 'sign-in-failed' AND `label` = 'email-code';
