DROP TABLE `search_documents`;--> statement-breakpoint
DROP TABLE `search_spellings`;--> statement-breakpoint
DROP INDEX `product_categories_category`;--> statement-breakpoint
CREATE INDEX `product_categories_category` ON `product_categories` (`tenant_id`,`category_id`,`product_id`);--> statement-breakpoint
ALTER TABLE `categories` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `products_made_of_others` ON `products` (`tenant_id`,`id`) WHERE type IN ('grouped', 'bundled') AND deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `search_changes` (
	`tenant_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`after` integer NOT NULL,
	`version` integer NOT NULL,
	`wake_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `category_id`, `product_id`)
);
--> statement-breakpoint
CREATE INDEX `search_changes_wake` ON `search_changes` (`wake_at`,`tenant_id`);