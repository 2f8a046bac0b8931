-- Backup codes were sealed as one list; they are sealed one by one now. A list of before stays readable as the only
-- member of a new one.
UPDATE `two_factors` SET `backup_codes` = json_array(`backup_codes`) WHERE `backup_codes` NOT LIKE '[%';
