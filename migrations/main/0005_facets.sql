CREATE TABLE `facet_counts` (
	`tenant_id` integer NOT NULL,
	`status` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `status`, `name`, `value`)
);
--> statement-breakpoint
CREATE TABLE `item_facets` (
	`tenant_id` integer NOT NULL,
	`status` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	`product_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`label` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `status`, `name`, `value`, `product_id`, `item_id`)
);
--> statement-breakpoint
CREATE INDEX `item_facets_product` ON `item_facets` (`tenant_id`,`product_id`,`name`,`value`,`item_id`);--> statement-breakpoint
CREATE TABLE `item_prices` (
	`tenant_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`currency` text NOT NULL,
	`item_id` integer NOT NULL,
	`status` text NOT NULL,
	`price` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `product_id`, `currency`, `item_id`)
);
--> statement-breakpoint
CREATE INDEX `item_prices_price` ON `item_prices` (`tenant_id`,`currency`,`status`,`price`);--> statement-breakpoint
-- Below: what the schema generator does not know, written by hand.
CREATE TRIGGER `facet_counted_in` AFTER INSERT ON `item_facets`
WHEN NOT EXISTS (SELECT 1 FROM `item_facets` WHERE `tenant_id` = new.`tenant_id` AND `status` = new.`status`
  AND `name` = new.`name` AND `value` = new.`value` AND `product_id` = new.`product_id` AND `item_id` <> new.`item_id`) BEGIN
  INSERT INTO `facet_counts` (`tenant_id`, `status`, `name`, `value`, `total`)
  VALUES (new.`tenant_id`, new.`status`, new.`name`, new.`value`, 1)
  ON CONFLICT (`tenant_id`, `status`, `name`, `value`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `facet_counted_out` AFTER DELETE ON `item_facets`
WHEN NOT EXISTS (SELECT 1 FROM `item_facets` WHERE `tenant_id` = old.`tenant_id` AND `status` = old.`status`
  AND `name` = old.`name` AND `value` = old.`value` AND `product_id` = old.`product_id`) BEGIN
  UPDATE `facet_counts` SET `total` = `total` - 1 WHERE `tenant_id` = old.`tenant_id` AND `status` = old.`status`
    AND `name` = old.`name` AND `value` = old.`value`;
END;
--> statement-breakpoint
CREATE TRIGGER `facet_count_ended` AFTER UPDATE OF `total` ON `facet_counts` WHEN new.`total` = 0 BEGIN
  DELETE FROM `facet_counts` WHERE `tenant_id` = new.`tenant_id` AND `status` = new.`status`
    AND `name` = new.`name` AND `value` = new.`value`;
END;
--> statement-breakpoint
-- Products that exist already: exact prices, and ASCII folding until a product's next change.
INSERT INTO `item_prices` (`tenant_id`, `product_id`, `currency`, `item_id`, `status`, `price`)
SELECT p.`tenant_id`, p.`id`, price.key, p.`id`, p.`status`, price.value
FROM `products` p, json_each(p.`prices`) price WHERE p.`deleted_at` IS NULL AND p.`type` <> 'configurable'
UNION ALL
SELECT p.`tenant_id`, p.`id`, price.key, v.`id`, p.`status`, price.value
FROM `products` p JOIN `variants` v ON v.`tenant_id` = p.`tenant_id` AND v.`product_id` = p.`id` AND v.`deleted` = 0,
  json_each(v.`prices`) price WHERE p.`deleted_at` IS NULL AND p.`type` = 'configurable';
--> statement-breakpoint
INSERT OR IGNORE INTO `item_facets` (`tenant_id`, `status`, `name`, `value`, `product_id`, `item_id`, `label`)
SELECT `tenant_id`, `status`, 'type', `type`, `id`, 0, `type` FROM `products` WHERE `deleted_at` IS NULL
UNION ALL
SELECT `tenant_id`, `status`, 'vendor', lower(`vendor`), `id`, 0, `vendor` FROM `products`
WHERE `deleted_at` IS NULL AND `vendor` IS NOT NULL
UNION ALL
SELECT p.`tenant_id`, p.`status`, 'tag', lower(tag.value), p.`id`, 0, tag.value
FROM `products` p, json_each(p.`tags`) tag WHERE p.`deleted_at` IS NULL
UNION ALL
SELECT p.`tenant_id`, p.`status`, 'attr.' || lower(a.key), lower(a.value), p.`id`, v.`id`, a.value
FROM `products` p JOIN `variants` v ON v.`tenant_id` = p.`tenant_id` AND v.`product_id` = p.`id` AND v.`deleted` = 0,
  json_each(v.`attributes`) a WHERE p.`deleted_at` IS NULL;
