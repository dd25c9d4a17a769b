CREATE TABLE `list_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `list_changes_subject` ON `list_changes` (`tenant_id`,`product_id`,`category_id`);--> statement-breakpoint
CREATE INDEX `list_changes_tenant` ON `list_changes` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TRIGGER `list_category_in` AFTER INSERT ON `categories` BEGIN
  INSERT INTO `list_changes` (`tenant_id`, `product_id`, `category_id`, `version`)
  SELECT `id`, 0, new.`id`, `catalog_version` FROM `tenants` WHERE `id` = new.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `list_category_over` AFTER UPDATE OF `parent_id`, `name`, `hidden` ON `categories`
WHEN old.`parent_id` IS NOT new.`parent_id` OR old.`name` <> new.`name` OR old.`hidden` <> new.`hidden` BEGIN
  DELETE FROM `list_changes` WHERE `tenant_id` = new.`tenant_id` AND `product_id` = 0 AND `category_id` = new.`id`;
  INSERT INTO `list_changes` (`tenant_id`, `product_id`, `category_id`, `version`)
  SELECT `id`, 0, new.`id`, `catalog_version` FROM `tenants` WHERE `id` = new.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `list_category_out` AFTER DELETE ON `categories` BEGIN
  DELETE FROM `list_changes` WHERE `tenant_id` = old.`tenant_id` AND `product_id` = 0 AND `category_id` = old.`id`;
  INSERT INTO `list_changes` (`tenant_id`, `product_id`, `category_id`, `version`)
  SELECT `id`, 0, old.`id`, `catalog_version` FROM `tenants` WHERE `id` = old.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `list_rank_over` AFTER UPDATE OF `sold_recently` ON `products`
WHEN old.`sold_recently` <> new.`sold_recently` BEGIN
  DELETE FROM `list_changes` WHERE `tenant_id` = new.`tenant_id` AND `product_id` = new.`id` AND `category_id` = 0;
  INSERT INTO `list_changes` (`tenant_id`, `product_id`, `category_id`, `version`)
  SELECT `id`, new.`id`, 0, `catalog_version` FROM `tenants` WHERE `id` = new.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `list_member_over` AFTER UPDATE OF `policy` ON `inventory_items` WHEN old.`policy` <> new.`policy` BEGIN
  DELETE FROM `list_changes` WHERE `tenant_id` = new.`tenant_id` AND `category_id` = 0 AND `product_id` IN (
    SELECT `parent_id` FROM `stock_components` WHERE `tenant_id` = new.`tenant_id` AND `member_id` = new.`id`);
  INSERT INTO `list_changes` (`tenant_id`, `product_id`, `category_id`, `version`)
  SELECT DISTINCT t.`id`, c.`parent_id`, 0, t.`catalog_version` FROM `tenants` t JOIN `stock_components` c
    ON c.`tenant_id` = t.`id` AND c.`member_id` = new.`id` WHERE t.`id` = new.`tenant_id`;
END;
