ALTER TABLE `categories` ADD `position` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `categories_place` ON `categories` (`tenant_id`,`parent_id`,`position`);