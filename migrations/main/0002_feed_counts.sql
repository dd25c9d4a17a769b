CREATE TABLE `feed_counts` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `feed_counted_in` AFTER INSERT ON `inventory_items` WHEN new.`feed` = 'live' BEGIN
  INSERT INTO `feed_counts` (`tenant_id`, `total`) VALUES (new.`tenant_id`, 1)
  ON CONFLICT (`tenant_id`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `feed_counted_over` AFTER UPDATE OF `feed` ON `inventory_items` WHEN old.`feed` <> new.`feed` BEGIN
  INSERT INTO `feed_counts` (`tenant_id`, `total`)
  VALUES (new.`tenant_id`, (new.`feed` = 'live') - (old.`feed` = 'live'))
  ON CONFLICT (`tenant_id`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
