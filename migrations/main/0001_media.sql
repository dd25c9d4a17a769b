CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`hash` text NOT NULL,
	`content_type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`bytes` integer NOT NULL,
	`state` text NOT NULL,
	`generation` integer NOT NULL,
	`touched_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_hash` ON `media` (`tenant_id`,`hash`);--> statement-breakpoint
CREATE INDEX `media_listed` ON `media` (`tenant_id`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `media_unfinished` ON `media` (`touched_at`) WHERE state <> 'stored';--> statement-breakpoint
CREATE TABLE `media_uses` (
	`tenant_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `product_id`, `hash`)
);
--> statement-breakpoint
CREATE INDEX `media_uses_hash` ON `media_uses` (`tenant_id`,`hash`);--> statement-breakpoint
ALTER TABLE `products` ADD `image_alts` text DEFAULT '{}' NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `quota_media_in` AFTER INSERT ON `media` WHEN new.`state` IN ('storing', 'stored') BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`)
  VALUES (new.`tenant_id`, 'media', 1), (new.`tenant_id`, 'media_bytes', new.`bytes`)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_media_out` AFTER DELETE ON `media` WHEN old.`state` IN ('storing', 'stored') BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`)
  VALUES (old.`tenant_id`, 'media', -1), (old.`tenant_id`, 'media_bytes', -old.`bytes`)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_media_over` AFTER UPDATE OF `state` ON `media`
WHEN (old.`state` IN ('storing', 'stored')) <> (new.`state` IN ('storing', 'stored')) BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`)
  SELECT new.`tenant_id`, `quota`, `amount` * iif(new.`state` IN ('storing', 'stored'), 1, -1)
  FROM (SELECT 'media' AS `quota`, 1 AS `amount` UNION ALL SELECT 'media_bytes', new.`bytes`) WHERE true
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
