CREATE TABLE `relistings` (
	`tenant_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	`shelves` text NOT NULL,
	`cursor` integer DEFAULT 0 NOT NULL,
	`upto` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT false NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `category_id`)
);
--> statement-breakpoint
DROP INDEX `categories_parent`;--> statement-breakpoint
CREATE INDEX `categories_sibling` ON `categories` (`tenant_id`,`parent_id`,name COLLATE NOCASE);--> statement-breakpoint
DROP INDEX `category_descendants`;--> statement-breakpoint
CREATE INDEX `category_descendants` ON `category_ancestors` (`tenant_id`,`ancestor_id`,`category_id`);--> statement-breakpoint
DROP INDEX `product_categories_category`;--> statement-breakpoint
CREATE INDEX `product_categories_category` ON `product_categories` (`tenant_id`,`category_id`,`product_id`);