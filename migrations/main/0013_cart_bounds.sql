CREATE TABLE `checkout_usage` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `checkout_sessions_cart`;--> statement-breakpoint
CREATE INDEX `checkout_sessions_by_cart` ON `checkout_sessions` (`tenant_id`,`cart_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `checkout_sessions_unordered` ON `checkout_sessions` (`expires_at`) WHERE status <> 'ordered';--> statement-breakpoint
ALTER TABLE `reservations` ADD `held_from` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `checkout_sessions` SET `buyer` = '{}', `snapshot` = json_set(`snapshot`, '$.lines', json('[]'),
  '$.demands', json('[]'), '$.totals.lines', json('[]'), '$.address', NULL, '$.email', NULL, '$.coupon', NULL)
WHERE `status` <> 'open';
--> statement-breakpoint
INSERT INTO `checkout_usage` (`tenant_id`, `bytes`)
SELECT `tenant_id`, sum(500 + length(CAST(`snapshot` AS BLOB)) + length(CAST(`pricing` AS BLOB))
  + length(CAST(`buyer` AS BLOB)) + length(`return_url`) + coalesce(length(`cancel_url`), 0))
FROM `checkout_sessions` WHERE `status` <> 'ordered' GROUP BY `tenant_id`;
--> statement-breakpoint
CREATE TRIGGER `checkout_usage_in` AFTER INSERT ON `checkout_sessions` WHEN new.`status` <> 'ordered' BEGIN
  INSERT INTO `checkout_usage` (`tenant_id`, `bytes`) VALUES (new.`tenant_id`,
    500 + length(CAST(new.`snapshot` AS BLOB)) + length(CAST(new.`pricing` AS BLOB))
    + length(CAST(new.`buyer` AS BLOB)) + length(new.`return_url`) + coalesce(length(new.`cancel_url`), 0))
  ON CONFLICT (`tenant_id`) DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `checkout_usage_over` AFTER UPDATE OF `status`, `snapshot`, `pricing`, `buyer` ON `checkout_sessions` BEGIN
  UPDATE `checkout_usage` SET `bytes` = `bytes`
    + (new.`status` <> 'ordered') * (500 + length(CAST(new.`snapshot` AS BLOB)) + length(CAST(new.`pricing` AS BLOB))
      + length(CAST(new.`buyer` AS BLOB)) + length(new.`return_url`) + coalesce(length(new.`cancel_url`), 0))
    - (old.`status` <> 'ordered') * (500 + length(CAST(old.`snapshot` AS BLOB)) + length(CAST(old.`pricing` AS BLOB))
      + length(CAST(old.`buyer` AS BLOB)) + length(old.`return_url`) + coalesce(length(old.`cancel_url`), 0))
  WHERE `tenant_id` = new.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `checkout_usage_out` AFTER DELETE ON `checkout_sessions` WHEN old.`status` <> 'ordered' BEGIN
  UPDATE `checkout_usage` SET `bytes` = `bytes`
    - (500 + length(CAST(old.`snapshot` AS BLOB)) + length(CAST(old.`pricing` AS BLOB))
      + length(CAST(old.`buyer` AS BLOB)) + length(old.`return_url`) + coalesce(length(old.`cancel_url`), 0))
  WHERE `tenant_id` = old.`tenant_id`;
END;
