ALTER TABLE `webhooks` ADD `agent` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `ends_at` integer;--> statement-breakpoint
CREATE INDEX `webhooks_ending` ON `webhooks` (`ends_at`) WHERE ends_at IS NOT NULL;--> statement-breakpoint
DROP TRIGGER `quota_webhooks_in`;
--> statement-breakpoint
DROP TRIGGER `quota_webhooks_out`;
--> statement-breakpoint
CREATE TRIGGER `quota_webhooks_in` AFTER INSERT ON `webhooks` WHEN new.`agent` IS NULL BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'webhooks', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_webhooks_out` AFTER DELETE ON `webhooks` WHEN old.`agent` IS NULL BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (old.`tenant_id`, 'webhooks', -1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
