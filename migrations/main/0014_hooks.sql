CREATE TABLE `quota_counts` (
	`tenant_id` integer NOT NULL,
	`quota` text NOT NULL,
	`total` integer NOT NULL,
	`exceeded` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant_id`, `quota`),
	CONSTRAINT "within_quota" CHECK(exceeded = 0)
);
--> statement-breakpoint
CREATE TABLE `queue_failures` (
	`queue` text NOT NULL,
	`body` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text NOT NULL,
	`failed_at` integer NOT NULL,
	PRIMARY KEY(`queue`, `body`)
);
--> statement-breakpoint
CREATE INDEX `queue_failures_age` ON `queue_failures` (`failed_at`);--> statement-breakpoint
ALTER TABLE `dead_letters` ADD `queue` text;--> statement-breakpoint
ALTER TABLE `dead_letters` ADD `attempts` integer;--> statement-breakpoint
ALTER TABLE `dead_letters` ADD `error` text;--> statement-breakpoint
CREATE INDEX `dead_letters_queue` ON `dead_letters` (`queue`,`recorded_at`);--> statement-breakpoint
ALTER TABLE `webhooks` ADD `former_events` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- What a webhook subscribed to before this is unknown: deliveries of any event may be stored for 31 days.
UPDATE `webhooks` SET `former_events` = (
  SELECT json_group_object(value, (unixepoch() + 31 * 86400) * 1000)
  FROM json_each('["order.created","order.paid","order.cancelled","product.updated","stock.changed"]')
  WHERE value NOT IN (SELECT value FROM json_each(`webhooks`.`events`)));
--> statement-breakpoint
UPDATE `dead_letters` SET `queue` = CASE
  WHEN json_extract(`body`, '$.importId') IS NOT NULL THEN 'imports'
  WHEN json_extract(`body`, '$.eventId') IS NOT NULL THEN 'webhook-events'
  WHEN json_extract(`body`, '$.tenantId') IS NOT NULL THEN 'search-index' END;
--> statement-breakpoint
INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`)
  SELECT `tenant_id`, 'applications', count(*) FROM `applications` GROUP BY 1
  UNION ALL SELECT `tenant_id`, 'products', count(*) FROM `inventory_items` WHERE `deleted` = 0 GROUP BY 1
  UNION ALL SELECT `tenant_id`, 'categories', count(*) FROM `categories` GROUP BY 1
  UNION ALL SELECT `tenant_id`, 'webhooks', count(*) FROM `webhooks` GROUP BY 1
  UNION ALL SELECT `tenant_id`, 'promotions', count(*) FROM `coupons` WHERE `deleted_at` IS NULL GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER `quota_applications_in` AFTER INSERT ON `applications` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'applications', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_applications_out` AFTER DELETE ON `applications` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (old.`tenant_id`, 'applications', -1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_categories_in` AFTER INSERT ON `categories` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'categories', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_categories_out` AFTER DELETE ON `categories` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (old.`tenant_id`, 'categories', -1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_webhooks_in` AFTER INSERT ON `webhooks` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'webhooks', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_webhooks_out` AFTER DELETE ON `webhooks` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (old.`tenant_id`, 'webhooks', -1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_products_in` AFTER INSERT ON `inventory_items` WHEN new.`deleted` = 0 BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'products', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_products_over` AFTER UPDATE OF `deleted` ON `inventory_items` WHEN old.`deleted` <> new.`deleted` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'products', old.`deleted` - new.`deleted`)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_products_out` AFTER DELETE ON `inventory_items` WHEN old.`deleted` = 0 BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (old.`tenant_id`, 'products', -1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_promotions_in` AFTER INSERT ON `coupons` WHEN new.`deleted_at` IS NULL BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'promotions', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_promotions_over` AFTER UPDATE OF `deleted_at` ON `coupons` WHEN (old.`deleted_at` IS NULL) <> (new.`deleted_at` IS NULL) BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'promotions', (new.`deleted_at` IS NULL) - (old.`deleted_at` IS NULL))
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_promotions_out` AFTER DELETE ON `coupons` WHEN old.`deleted_at` IS NULL BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (old.`tenant_id`, 'promotions', -1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
