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