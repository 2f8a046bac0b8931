CREATE INDEX `organizations_creation` ON `organizations` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `organizations_name` ON `organizations` ("name" collate nocase,`id`);