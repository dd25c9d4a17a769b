DROP INDEX `outbox_age`;--> statement-breakpoint
CREATE INDEX `outbox_occurred` ON `outbox` (`occurred_at`);--> statement-breakpoint
ALTER TABLE `orders` ADD `claimed_until` integer;--> statement-breakpoint
CREATE INDEX `orders_abandoned` ON `orders` (`updated_at`) WHERE status = 'cancelled' AND payment_status = 'unpaid';--> statement-breakpoint
CREATE INDEX `products_deleted` ON `products` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_erased` ON `customers` (`erased_at`) WHERE erased_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reservations_released` ON `reservations` (`expires_at`) WHERE status = 'released';--> statement-breakpoint
CREATE INDEX `coupons_deleted` ON `coupons` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `search_documents_gone` ON `search_documents` (`sequence`) WHERE place IS NULL;
--> statement-breakpoint
CREATE TRIGGER `listing_count_ended` AFTER UPDATE OF `total` ON `listing_counts` WHEN new.`total` = 0 BEGIN
  DELETE FROM `listing_counts` WHERE `tenant_id` = new.`tenant_id` AND `currency` = new.`currency`
    AND `category_id` = new.`category_id` AND `status` = new.`status`;
END;
--> statement-breakpoint
CREATE TRIGGER `customer_sessions_bounded` AFTER INSERT ON `customer_sessions` BEGIN
  DELETE FROM `customer_sessions` WHERE rowid IN (SELECT rowid FROM `customer_sessions`
    WHERE `tenant_id` = new.`tenant_id` AND `customer_id` = new.`customer_id`
    ORDER BY `expires_at` DESC, rowid DESC LIMIT -1 OFFSET 100);
END;
--> statement-breakpoint
CREATE TRIGGER `customer_carts_bounded` AFTER INSERT ON `customer_carts` BEGIN
  DELETE FROM `customer_carts` WHERE rowid IN (SELECT rowid FROM `customer_carts`
    WHERE `tenant_id` = new.`tenant_id` AND `customer_id` = new.`customer_id`
    ORDER BY rowid DESC LIMIT -1 OFFSET 100);
END;
--> statement-breakpoint
CREATE TRIGGER `password_resets_bounded` AFTER INSERT ON `password_resets` BEGIN
  DELETE FROM `password_resets` WHERE rowid IN (SELECT rowid FROM `password_resets`
    WHERE `tenant_id` = new.`tenant_id` AND `customer_id` = new.`customer_id`
    ORDER BY `expires_at` DESC, rowid DESC LIMIT -1 OFFSET 20);
END;
--> statement-breakpoint
DELETE FROM `listing_counts` WHERE `total` = 0;
