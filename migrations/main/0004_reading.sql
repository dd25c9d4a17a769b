CREATE TABLE `product_sales` (
	`tenant_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`day` integer NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `product_id`, `day`)
);
--> statement-breakpoint
CREATE TABLE `sales_rankings` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	`cursor` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sales_rankings_due` ON `sales_rankings` (`due_at`);--> statement-breakpoint
CREATE TABLE `former_slugs` (
	`tenant_id` integer NOT NULL,
	`kind` text NOT NULL,
	`slug` text NOT NULL,
	`owner_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `kind`, `slug`)
);
--> statement-breakpoint
CREATE INDEX `former_slugs_owner` ON `former_slugs` (`tenant_id`,`kind`,`owner_id`,`position`);--> statement-breakpoint
DROP INDEX `outbox_person`;--> statement-breakpoint
CREATE INDEX `outbox_person` ON `outbox` (`tenant_id`,`resource`) WHERE type NOT IN ('product.updated', 'category.updated', 'stock.changed');--> statement-breakpoint
ALTER TABLE `orders` ADD `metadata` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `paid_at` integer;--> statement-breakpoint
ALTER TABLE `customers` ADD `metadata` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `sold_recently` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `product_listings` ADD `sold` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `listings_sold` ON `product_listings` (`tenant_id`,`currency`,`category_id`,`status`,`sold`,`product_id`);--> statement-breakpoint
ALTER TABLE `categories` ADD `description` text;--> statement-breakpoint
ALTER TABLE `categories` ADD `hidden` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `categories` ADD `metadata` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `categories` ADD `updated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `categories_tenant` ON `categories` (`tenant_id`,`id`);--> statement-breakpoint
UPDATE `categories` SET `updated_at` = unixepoch() * 1000;
--> statement-breakpoint
CREATE TRIGGER `categories_slug_taken` AFTER INSERT ON `categories` BEGIN
  DELETE FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'category' AND `slug` = new.`slug`;
END;
--> statement-breakpoint
CREATE TRIGGER `categories_slug_changed` AFTER UPDATE OF `slug` ON `categories` WHEN old.`slug` <> new.`slug` BEGIN
  DELETE FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'category' AND `slug` = new.`slug`;
  INSERT INTO `former_slugs` (`tenant_id`, `kind`, `slug`, `owner_id`, `position`)
  SELECT new.`tenant_id`, 'category', old.`slug`, new.`id`, coalesce(max(`position`), 0) + 1
  FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'category' AND `owner_id` = new.`id`
  ON CONFLICT (`tenant_id`, `kind`, `slug`) DO UPDATE SET `owner_id` = excluded.`owner_id`, `position` = excluded.`position`;
  DELETE FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'category' AND `owner_id` = new.`id` AND `position` <= (
    SELECT max(`position`) - 20 FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'category' AND `owner_id` = new.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `products_slug_taken` AFTER INSERT ON `products` BEGIN
  DELETE FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'product' AND `slug` = new.`slug`;
END;
--> statement-breakpoint
CREATE TRIGGER `products_slug_changed` AFTER UPDATE OF `slug` ON `products` WHEN old.`slug` <> new.`slug` BEGIN
  DELETE FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'product' AND `slug` = new.`slug`;
  INSERT INTO `former_slugs` (`tenant_id`, `kind`, `slug`, `owner_id`, `position`)
  SELECT new.`tenant_id`, 'product', old.`slug`, new.`id`, coalesce(max(`position`), 0) + 1
  FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'product' AND `owner_id` = new.`id`
  ON CONFLICT (`tenant_id`, `kind`, `slug`) DO UPDATE SET `owner_id` = excluded.`owner_id`, `position` = excluded.`position`;
  DELETE FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'product' AND `owner_id` = new.`id` AND `position` <= (
    SELECT max(`position`) - 20 FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'product' AND `owner_id` = new.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `categories_slugs_ended` AFTER DELETE ON `categories` BEGIN
  DELETE FROM `former_slugs` WHERE `tenant_id` = old.`tenant_id` AND `kind` = 'category' AND `owner_id` = old.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `products_slugs_ended` AFTER UPDATE OF `deleted_at` ON `products` WHEN new.`deleted_at` IS NOT NULL BEGIN
  DELETE FROM `former_slugs` WHERE `tenant_id` = new.`tenant_id` AND `kind` = 'product' AND `owner_id` = new.`id`;
END;
