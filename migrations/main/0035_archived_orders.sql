ALTER TABLE `orders` ADD `archived_at` integer;--> statement-breakpoint
CREATE INDEX `orders_open` ON `orders` (`tenant_id`,`created_at`) WHERE archived_at IS NULL;