ALTER TABLE `checkout_usage` ADD `ordered_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `checkout_usage` ADD `ordered_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
DROP TRIGGER `checkout_usage_over`;--> statement-breakpoint
CREATE TRIGGER `checkout_usage_over` AFTER UPDATE OF `status`, `snapshot`, `pricing`, `buyer` ON `checkout_sessions` BEGIN
  UPDATE `checkout_usage` SET
    `bytes` = `bytes` + (new.`status` <> 'ordered') * change.`after` - (old.`status` <> 'ordered') * change.`before`,
    `ordered_bytes` = iif(change.`orders`, iif(`ordered_day` < change.`day`, 0, `ordered_bytes`) + change.`before`, `ordered_bytes`),
    `ordered_day` = iif(change.`orders`, max(`ordered_day`, change.`day`), `ordered_day`)
  FROM (
    SELECT 500 + length(CAST(new.`snapshot` AS BLOB)) + length(CAST(new.`pricing` AS BLOB))
        + length(CAST(new.`buyer` AS BLOB)) + length(new.`return_url`) + coalesce(length(new.`cancel_url`), 0) AS `after`,
      500 + length(CAST(old.`snapshot` AS BLOB)) + length(CAST(old.`pricing` AS BLOB))
        + length(CAST(old.`buyer` AS BLOB)) + length(old.`return_url`) + coalesce(length(old.`cancel_url`), 0) AS `before`,
      new.`status` = 'ordered' AND old.`status` <> 'ordered' AS `orders`,
      new.`created_at` / 86400000 AS `day`
  ) AS change
  WHERE `tenant_id` = new.`tenant_id`;
END;
