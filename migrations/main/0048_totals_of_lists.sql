CREATE TABLE `order_counts` (
	`tenant_id` integer NOT NULL,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`fulfilment_status` text NOT NULL,
	`archived` integer NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `status`, `payment_status`, `fulfilment_status`, `archived`)
);
--> statement-breakpoint
CREATE TABLE `customer_counts` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `order_counted_in` AFTER INSERT ON `orders` BEGIN
  INSERT INTO `order_counts` (`tenant_id`, `status`, `payment_status`, `fulfilment_status`, `archived`, `total`)
  VALUES (new.`tenant_id`, new.`status`, new.`payment_status`, new.`fulfilment_status`, new.`archived_at` IS NOT NULL, 1)
  ON CONFLICT (`tenant_id`, `status`, `payment_status`, `fulfilment_status`, `archived`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `order_counted_out` AFTER DELETE ON `orders` BEGIN
  UPDATE `order_counts` SET `total` = `total` - 1
  WHERE `tenant_id` = old.`tenant_id` AND `status` = old.`status` AND `payment_status` = old.`payment_status`
    AND `fulfilment_status` = old.`fulfilment_status` AND `archived` = (old.`archived_at` IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER `order_counted_over` AFTER UPDATE OF `status`, `payment_status`, `fulfilment_status`, `archived_at` ON `orders`
WHEN old.`status` <> new.`status` OR old.`payment_status` <> new.`payment_status`
  OR old.`fulfilment_status` <> new.`fulfilment_status` OR (old.`archived_at` IS NULL) <> (new.`archived_at` IS NULL) BEGIN
  INSERT INTO `order_counts` (`tenant_id`, `status`, `payment_status`, `fulfilment_status`, `archived`, `total`)
  VALUES (new.`tenant_id`, new.`status`, new.`payment_status`, new.`fulfilment_status`, new.`archived_at` IS NOT NULL, 1)
  ON CONFLICT (`tenant_id`, `status`, `payment_status`, `fulfilment_status`, `archived`) DO UPDATE SET `total` = `total` + 1;
  UPDATE `order_counts` SET `total` = `total` - 1
  WHERE `tenant_id` = old.`tenant_id` AND `status` = old.`status` AND `payment_status` = old.`payment_status`
    AND `fulfilment_status` = old.`fulfilment_status` AND `archived` = (old.`archived_at` IS NOT NULL);
END;
--> statement-breakpoint
CREATE TRIGGER `order_count_ended` AFTER UPDATE OF `total` ON `order_counts` WHEN new.`total` = 0 BEGIN
  DELETE FROM `order_counts` WHERE `tenant_id` = new.`tenant_id` AND `status` = new.`status`
    AND `payment_status` = new.`payment_status` AND `fulfilment_status` = new.`fulfilment_status`
    AND `archived` = new.`archived`;
END;
--> statement-breakpoint
CREATE TRIGGER `customer_counted_in` AFTER INSERT ON `customers` WHEN new.`erased_at` IS NULL BEGIN
  INSERT INTO `customer_counts` (`tenant_id`, `total`) VALUES (new.`tenant_id`, 1)
  ON CONFLICT (`tenant_id`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customer_counted_out` AFTER DELETE ON `customers` WHEN old.`erased_at` IS NULL BEGIN
  UPDATE `customer_counts` SET `total` = `total` - 1 WHERE `tenant_id` = old.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `customer_counted_over` AFTER UPDATE OF `erased_at` ON `customers`
WHEN (old.`erased_at` IS NULL) <> (new.`erased_at` IS NULL) BEGIN
  UPDATE `customer_counts` SET `total` = `total` + (new.`erased_at` IS NULL) - (old.`erased_at` IS NULL)
  WHERE `tenant_id` = new.`tenant_id`;
END;
--> statement-breakpoint
INSERT INTO `order_counts` (`tenant_id`, `status`, `payment_status`, `fulfilment_status`, `archived`, `total`)
SELECT `tenant_id`, `status`, `payment_status`, `fulfilment_status`, `archived_at` IS NOT NULL, count(*)
FROM `orders` GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
INSERT INTO `customer_counts` (`tenant_id`, `total`)
SELECT `tenant_id`, count(*) FROM `customers` WHERE `erased_at` IS NULL GROUP BY 1;
