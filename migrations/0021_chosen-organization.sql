ALTER TABLE `members` ADD `is_chosen` integer DEFAULT false NOT NULL;
UPDATE `members` SET `is_chosen` = 1 WHERE `organization_id` = (SELECT `active_organization_id` FROM `sessions`
	WHERE `sessions`.`user_id` = `members`.`user_id` AND `impersonated_by` IS NULL AND `active_organization_id` IS NOT NULL
		AND EXISTS (SELECT 1 FROM `members` AS `own` WHERE `own`.`user_id` = `sessions`.`user_id` AND `own`.`organization_id` = `active_organization_id`)
	ORDER BY `updated_at` DESC LIMIT 1);
