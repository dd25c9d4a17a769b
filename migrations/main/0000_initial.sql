CREATE TABLE `applications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`scopes` text NOT NULL,
	`server_side` integer DEFAULT false NOT NULL,
	`allowed_origins` text NOT NULL,
	`rate_limit_per_minute` integer,
	`expires_at` integer,
	`last_used_at` integer,
	`token_hash` text NOT NULL,
	`earlier_tokens` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `applications_tenant` ON `applications` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `categories` (
	`id` integer PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`parent_id` integer,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`image_url` text,
	`seo` text,
	`revision` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_slug` ON `categories` (`tenant_id`,`slug`);--> statement-breakpoint
CREATE INDEX `categories_sibling` ON `categories` (`tenant_id`,`parent_id`,name COLLATE NOCASE);--> statement-breakpoint
CREATE TABLE `category_ancestors` (
	`tenant_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	`ancestor_id` integer NOT NULL,
	`distance` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `category_id`, `ancestor_id`)
);
--> statement-breakpoint
CREATE INDEX `category_descendants` ON `category_ancestors` (`tenant_id`,`ancestor_id`,`category_id`);--> statement-breakpoint
CREATE TABLE `listing_counts` (
	`tenant_id` integer NOT NULL,
	`currency` text NOT NULL,
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `currency`, `category_id`, `status`)
);
--> statement-breakpoint
CREATE TABLE `product_categories` (
	`tenant_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `product_id`, `category_id`)
);
--> statement-breakpoint
CREATE INDEX `product_categories_category` ON `product_categories` (`tenant_id`,`category_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `product_listings` (
	`tenant_id` integer NOT NULL,
	`currency` text NOT NULL,
	`category_id` integer NOT NULL,
	`status` text NOT NULL,
	`product_id` integer NOT NULL,
	`price` integer NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `currency`, `category_id`, `status`, `product_id`)
);
--> statement-breakpoint
CREATE INDEX `listings_price` ON `product_listings` (`tenant_id`,`currency`,`category_id`,`status`,`price`,`product_id`);--> statement-breakpoint
CREATE INDEX `listings_name` ON `product_listings` (`tenant_id`,`currency`,`category_id`,`status`,`name`,`product_id`);--> statement-breakpoint
CREATE INDEX `listings_product` ON `product_listings` (`tenant_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `product_terms` (
	`tenant_id` integer NOT NULL,
	`term` text NOT NULL,
	`product_id` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `term`, `product_id`)
);
--> statement-breakpoint
CREATE INDEX `product_terms_product` ON `product_terms` (`tenant_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `products` (
	`id` integer PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`sku` text NOT NULL,
	`name` text NOT NULL,
	`sort_name` text NOT NULL,
	`slug` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`prices` text NOT NULL,
	`regular_price` integer,
	`description` text,
	`images` text NOT NULL,
	`seo` text,
	`barcode` text,
	`tags` text NOT NULL,
	`vendor` text,
	`tax_class` text,
	`details` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_slug` ON `products` (`tenant_id`,`slug`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `products_tenant` ON `products` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `products_deleted` ON `products` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `products_made_of_others` ON `products` (`tenant_id`,`id`) WHERE type IN ('grouped', 'bundled') AND deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `relistings` (
	`tenant_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	`shelves` text NOT NULL,
	`cursor` integer DEFAULT 0 NOT NULL,
	`upto` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT false NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `category_id`)
);
--> statement-breakpoint
CREATE TABLE `search_changes` (
	`tenant_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`after` integer NOT NULL,
	`version` integer NOT NULL,
	`wake_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `category_id`, `product_id`)
);
--> statement-breakpoint
CREATE INDEX `search_changes_wake` ON `search_changes` (`wake_at`,`tenant_id`);--> statement-breakpoint
CREATE TABLE `sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `variants` (
	`id` integer PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`sku` text NOT NULL,
	`prices` text NOT NULL,
	`attributes` text NOT NULL,
	`barcode` text,
	`image` text,
	`position` integer NOT NULL,
	`deleted` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `variants_product` ON `variants` (`tenant_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `checkout_sessions` (
	`digest` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`cart_id` text NOT NULL,
	`cart_version` integer NOT NULL,
	`reservation_id` integer NOT NULL,
	`status` text NOT NULL,
	`provider` text NOT NULL,
	`origin` text NOT NULL,
	`return_url` text NOT NULL,
	`cancel_url` text,
	`snapshot` text NOT NULL,
	`pricing` text NOT NULL,
	`buyer` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `checkout_sessions_by_cart` ON `checkout_sessions` (`tenant_id`,`cart_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `checkout_sessions_order` ON `checkout_sessions` (`tenant_id`,`order_id`);--> statement-breakpoint
CREATE INDEX `checkout_sessions_age` ON `checkout_sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `checkout_sessions_unordered` ON `checkout_sessions` (`expires_at`) WHERE status <> 'ordered';--> statement-breakpoint
CREATE TABLE `checkout_usage` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `customer_carts` (
	`tenant_id` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`cart_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `customer_id`, `cart_id`)
);
--> statement-breakpoint
CREATE TABLE `customer_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `customer_sessions_customer` ON `customer_sessions` (`tenant_id`,`customer_id`);--> statement-breakpoint
CREATE INDEX `customer_sessions_end` ON `customer_sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`phone` text,
	`password` text NOT NULL,
	`cart_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`erased_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_email` ON `customers` (`tenant_id`,`email`) WHERE erased_at IS NULL;--> statement-breakpoint
CREATE INDEX `customers_erased` ON `customers` (`erased_at`) WHERE erased_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `password_resets` (
	`hash` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `password_resets_customer` ON `password_resets` (`tenant_id`,`customer_id`);--> statement-breakpoint
CREATE INDEX `password_resets_end` ON `password_resets` (`expires_at`);--> statement-breakpoint
CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`n` integer NOT NULL,
	`tenant_id` integer NOT NULL,
	`base64` text NOT NULL,
	PRIMARY KEY(`import_id`, `n`)
);
--> statement-breakpoint
CREATE TABLE `import_products` (
	`import_id` text NOT NULL,
	`slug` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`line` integer NOT NULL,
	PRIMARY KEY(`import_id`, `slug`)
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`status` text NOT NULL,
	`sets_stock` integer NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`processed` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`errors` text DEFAULT '[]' NOT NULL,
	`header` text,
	`offset` integer DEFAULT 0 NOT NULL,
	`line` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `imports_status` ON `imports` (`status`,`updated_at`);--> statement-breakpoint
CREATE INDEX `imports_tenant` ON `imports` (`tenant_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `feed_counts` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`total` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `inventory_items` (
	`id` integer PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`sku` text NOT NULL,
	`on_hand` integer NOT NULL,
	`reserved` integer DEFAULT 0 NOT NULL,
	`policy` text NOT NULL,
	`derived` text NOT NULL,
	`feed` text NOT NULL,
	`deleted` integer DEFAULT false NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "stock_never_oversold" CHECK(policy <> 'deny' OR derived <> 'none' OR on_hand >= reserved),
	CONSTRAINT "reserved_never_negative" CHECK(reserved >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `inventory_sku` ON `inventory_items` (`tenant_id`,`sku`) WHERE deleted = 0;--> statement-breakpoint
CREATE INDEX `inventory_product` ON `inventory_items` (`tenant_id`,`product_id`);--> statement-breakpoint
CREATE INDEX `inventory_feed` ON `inventory_items` (`tenant_id`,`feed`,`updated_at`);--> statement-breakpoint
CREATE TABLE `reservations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`cart_id` text NOT NULL,
	`cart_version` integer NOT NULL,
	`status` text NOT NULL,
	`lines` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`expires_at` integer NOT NULL,
	`held_from` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reservations_cart` ON `reservations` (`tenant_id`,`cart_id`,`cart_version`);--> statement-breakpoint
CREATE INDEX `reservations_due` ON `reservations` (`expires_at`) WHERE status = 'held';--> statement-breakpoint
CREATE INDEX `reservations_released` ON `reservations` (`expires_at`) WHERE status = 'released';--> statement-breakpoint
CREATE TABLE `slots` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`capacity` integer NOT NULL,
	`reserved` integer DEFAULT 0 NOT NULL,
	`begun` integer DEFAULT false NOT NULL,
	CONSTRAINT "slot_never_overbooked" CHECK(reserved BETWEEN 0 AND capacity)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `slots_time` ON `slots` (`tenant_id`,`product_id`,`starts_at`,`ends_at`);--> statement-breakpoint
CREATE INDEX `slots_begin` ON `slots` (`starts_at`) WHERE begun = 0;--> statement-breakpoint
CREATE TABLE `stock_components` (
	`tenant_id` integer NOT NULL,
	`parent_id` integer NOT NULL,
	`group_id` integer NOT NULL,
	`member_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `parent_id`, `group_id`, `member_id`)
);
--> statement-breakpoint
CREATE INDEX `stock_components_member` ON `stock_components` (`tenant_id`,`member_id`);--> statement-breakpoint
CREATE TABLE `stock_movements` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`batch` text NOT NULL,
	`reason` text NOT NULL,
	`old_stock` integer NOT NULL,
	`new_stock` integer NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stock_movements_batch` ON `stock_movements` (`tenant_id`,`batch`,`item_id`);--> statement-breakpoint
CREATE INDEX `stock_movements_item` ON `stock_movements` (`tenant_id`,`item_id`,`id`);--> statement-breakpoint
CREATE TABLE `guards` (
	`reason` text NOT NULL,
	CONSTRAINT "guard_holds" CHECK("guards"."reason" = '')
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant_id` integer NOT NULL,
	`application_id` integer NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`owner` text NOT NULL,
	`locked_until` integer NOT NULL,
	`ref` text,
	`answer` text,
	`customer_id` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `application_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_customer` ON `idempotency_keys` (`tenant_id`,`customer_id`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `order_counters` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `order_lines` (
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`id` integer NOT NULL,
	`product_id` integer NOT NULL,
	`variant_id` integer,
	`sku` text NOT NULL,
	`name` text NOT NULL,
	`options` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit_price` integer NOT NULL,
	`subtotal` integer NOT NULL,
	`discount` integer NOT NULL,
	`tax` integer NOT NULL,
	`links` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `order_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`payment_status` text NOT NULL,
	`test` integer NOT NULL,
	`provider` text NOT NULL,
	`origin` text NOT NULL,
	`cart_id` text NOT NULL,
	`cart_version` integer NOT NULL,
	`reservation_id` integer NOT NULL,
	`currency` text NOT NULL,
	`subtotal` integer NOT NULL,
	`discount` integer NOT NULL,
	`shipping` integer NOT NULL,
	`tax` integer NOT NULL,
	`grand_total` integer NOT NULL,
	`tax_included` integer NOT NULL,
	`coupon_id` integer,
	`coupon_code` text,
	`customer_id` integer,
	`name` text,
	`email` text,
	`phone` text,
	`shipping_address` text,
	`cancel_reason` text,
	`cart_notice` text,
	`revision` integer DEFAULT 1 NOT NULL,
	`expires_at` integer NOT NULL,
	`claimed_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`tenant_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_reservation` ON `orders` (`tenant_id`,`reservation_id`) WHERE status <> 'cancelled';--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`tenant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_customer` ON `orders` (`tenant_id`,`customer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_due` ON `orders` (`expires_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `orders_abandoned` ON `orders` (`updated_at`) WHERE status = 'cancelled' AND payment_status = 'unpaid';--> statement-breakpoint
CREATE INDEX `orders_notices` ON `orders` (`updated_at`) WHERE cart_notice IS NOT NULL;--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`provider` text NOT NULL,
	`reference` text,
	`charge` text,
	`state` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_reference` ON `payments` (`tenant_id`,`provider`,`reference`);--> statement-breakpoint
CREATE INDEX `payments_order` ON `payments` (`tenant_id`,`order_id`);--> statement-breakpoint
CREATE INDEX `payments_refunds` ON `payments` (`next_try_at`) WHERE state = 'refund_due';--> statement-breakpoint
CREATE TABLE `panel_guesses` (
	`source` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `panel_guesses_age` ON `panel_guesses` (`until`);--> statement-breakpoint
CREATE TABLE `panel_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `panel_sessions_user` ON `panel_sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `panel_sessions_age` ON `panel_sessions` (`until`);--> statement-breakpoint
CREATE TABLE `panel_users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text,
	`invite_hash` text,
	`invite_until` integer,
	`invited_at` integer NOT NULL,
	`accepted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `panel_users_inviteHash_unique` ON `panel_users` (`invite_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `panel_users_email` ON `panel_users` (`tenant_id`,`email`);--> statement-breakpoint
CREATE INDEX `panel_users_sign_in` ON `panel_users` (`email`);--> statement-breakpoint
CREATE TABLE `coupon_guesses` (
	`tenant_id` integer NOT NULL,
	`address` text NOT NULL,
	`wrong` integer NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `address`)
);
--> statement-breakpoint
CREATE INDEX `coupon_guesses_age` ON `coupon_guesses` (`since`);--> statement-breakpoint
CREATE TABLE `coupon_shoppers` (
	`tenant_id` integer NOT NULL,
	`coupon_id` integer NOT NULL,
	`shopper` text NOT NULL,
	`uses` integer NOT NULL,
	`most` integer,
	PRIMARY KEY(`tenant_id`, `coupon_id`, `shopper`),
	CONSTRAINT "coupon_uses_within_customer_limit" CHECK(most IS NULL OR uses <= most)
);
--> statement-breakpoint
CREATE TABLE `coupon_uses` (
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`coupon_id` integer NOT NULL,
	`shoppers` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `order_id`)
);
--> statement-breakpoint
CREATE TABLE `coupons` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`code` text NOT NULL,
	`code_key` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`minimum_subtotal` text,
	`starts_at` integer,
	`ends_at` integer,
	`max_uses` integer,
	`max_uses_per_customer` integer,
	`product_ids` text,
	`category_ids` text,
	`uses` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	CONSTRAINT "coupon_uses_within_limit" CHECK(max_uses IS NULL OR uses <= max_uses),
	CONSTRAINT "coupon_uses_never_negative" CHECK(uses >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_code` ON `coupons` (`tenant_id`,`code_key`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `coupons_tenant` ON `coupons` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `coupons_deleted` ON `coupons` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `quota_counts` (
	`tenant_id` integer NOT NULL,
	`quota` text NOT NULL,
	`total` integer NOT NULL,
	`exceeded` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant_id`, `quota`),
	CONSTRAINT "within_quota" CHECK(exceeded = 0)
);
--> statement-breakpoint
CREATE TABLE `tenant_secrets` (
	`tenant_id` integer NOT NULL,
	`name` text NOT NULL,
	`sealed` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `name`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`currency` text NOT NULL,
	`currencies` text NOT NULL,
	`plan` text NOT NULL,
	`status` text NOT NULL,
	`settings` text NOT NULL,
	`catalog_version` integer DEFAULT 1 NOT NULL,
	`stock_moved_at` integer,
	`clock` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_slug_unique` ON `tenants` (`slug`);--> statement-breakpoint
CREATE INDEX `tenants_stock_moved` ON `tenants` (`stock_moved_at`);--> statement-breakpoint
CREATE TABLE `themes` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`options` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`queue` text,
	`attempts` integer,
	`error` text,
	`sent_at` integer NOT NULL,
	`recorded_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dead_letters_age` ON `dead_letters` (`recorded_at`);--> statement-breakpoint
CREATE INDEX `dead_letters_queue` ON `dead_letters` (`queue`,`recorded_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`type` text NOT NULL,
	`resource` text NOT NULL,
	`sequence` integer NOT NULL,
	`data` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`batch` text NOT NULL,
	`relayed_at` integer
);
--> statement-breakpoint
CREATE INDEX `outbox_batch` ON `outbox` (`tenant_id`,`batch`);--> statement-breakpoint
CREATE INDEX `outbox_unrelayed` ON `outbox` (`occurred_at`) WHERE relayed_at IS NULL;--> statement-breakpoint
CREATE INDEX `outbox_person` ON `outbox` (`tenant_id`,`resource`) WHERE type NOT IN ('product.updated', 'stock.changed');--> statement-breakpoint
CREATE INDEX `outbox_occurred` ON `outbox` (`occurred_at`);--> statement-breakpoint
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
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`former_events` text DEFAULT '{}' NOT NULL,
	`status` text NOT NULL,
	`paused_reason` text,
	`failing_since` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`secret` text NOT NULL,
	`secret_tail` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`ref` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_ref_unique` ON `webhooks` (`ref`);--> statement-breakpoint
CREATE INDEX `webhooks_tenant` ON `webhooks` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_failing` ON `webhooks` (`failing_since`) WHERE failing_since IS NOT NULL;
--> statement-breakpoint
-- Below: what the schema generator does not know, written by hand.
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
CREATE TRIGGER `checkout_usage_in` AFTER INSERT ON `checkout_sessions` WHEN new.`status` <> 'ordered' BEGIN
  INSERT INTO `checkout_usage` (`tenant_id`, `bytes`) VALUES (new.`tenant_id`,
    500 + length(CAST(new.`snapshot` AS BLOB)) + length(CAST(new.`pricing` AS BLOB))
    + length(CAST(new.`buyer` AS BLOB)) + length(new.`return_url`) + coalesce(length(new.`cancel_url`), 0))
  ON CONFLICT (`tenant_id`) DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `checkout_usage_out` AFTER DELETE ON `checkout_sessions` WHEN old.`status` <> 'ordered' BEGIN
  UPDATE `checkout_usage` SET `bytes` = `bytes`
    - (500 + length(CAST(old.`snapshot` AS BLOB)) + length(CAST(old.`pricing` AS BLOB))
      + length(CAST(old.`buyer` AS BLOB)) + length(old.`return_url`) + coalesce(length(old.`cancel_url`), 0))
  WHERE `tenant_id` = old.`tenant_id`;
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
CREATE TRIGGER `quota_promotions_in` AFTER INSERT ON `coupons` WHEN new.`deleted_at` IS NULL BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'promotions', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_promotions_out` AFTER DELETE ON `coupons` WHEN old.`deleted_at` IS NULL BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (old.`tenant_id`, 'promotions', -1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_promotions_over` AFTER UPDATE OF `deleted_at` ON `coupons` WHEN (old.`deleted_at` IS NULL) <> (new.`deleted_at` IS NULL) BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'promotions', (new.`deleted_at` IS NULL) - (old.`deleted_at` IS NULL))
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `customer_carts_bounded` AFTER INSERT ON `customer_carts` BEGIN
  DELETE FROM `customer_carts` WHERE rowid IN (SELECT rowid FROM `customer_carts`
    WHERE `tenant_id` = new.`tenant_id` AND `customer_id` = new.`customer_id`
    ORDER BY rowid DESC LIMIT -1 OFFSET 100);
END;
--> statement-breakpoint
CREATE TRIGGER `customer_sessions_bounded` AFTER INSERT ON `customer_sessions` BEGIN
  DELETE FROM `customer_sessions` WHERE rowid IN (SELECT rowid FROM `customer_sessions`
    WHERE `tenant_id` = new.`tenant_id` AND `customer_id` = new.`customer_id`
    ORDER BY `expires_at` DESC, rowid DESC LIMIT -1 OFFSET 100);
END;
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
--> statement-breakpoint
CREATE TRIGGER `quota_products_in` AFTER INSERT ON `inventory_items` WHEN new.`deleted` = 0 BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'products', 1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_products_out` AFTER DELETE ON `inventory_items` WHEN old.`deleted` = 0 BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (old.`tenant_id`, 'products', -1)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `quota_products_over` AFTER UPDATE OF `deleted` ON `inventory_items` WHEN old.`deleted` <> new.`deleted` BEGIN
  INSERT INTO `quota_counts` (`tenant_id`, `quota`, `total`) VALUES (new.`tenant_id`, 'products', old.`deleted` - new.`deleted`)
  ON CONFLICT (`tenant_id`, `quota`) DO UPDATE SET `total` = `total` + excluded.`total`;
END;
--> statement-breakpoint
CREATE TRIGGER `listing_count_ended` AFTER UPDATE OF `total` ON `listing_counts` WHEN new.`total` = 0 BEGIN
  DELETE FROM `listing_counts` WHERE `tenant_id` = new.`tenant_id` AND `currency` = new.`currency`
    AND `category_id` = new.`category_id` AND `status` = new.`status`;
END;
--> statement-breakpoint
CREATE TRIGGER `password_resets_bounded` AFTER INSERT ON `password_resets` BEGIN
  DELETE FROM `password_resets` WHERE rowid IN (SELECT rowid FROM `password_resets`
    WHERE `tenant_id` = new.`tenant_id` AND `customer_id` = new.`customer_id`
    ORDER BY `expires_at` DESC, rowid DESC LIMIT -1 OFFSET 20);
END;
--> statement-breakpoint
CREATE TRIGGER `listing_counted_in` AFTER INSERT ON `product_listings` BEGIN
  INSERT INTO `listing_counts` (`tenant_id`, `currency`, `category_id`, `status`, `total`)
  VALUES (new.`tenant_id`, new.`currency`, new.`category_id`, new.`status`, 1)
  ON CONFLICT (`tenant_id`, `currency`, `category_id`, `status`) DO UPDATE SET `total` = `total` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `listing_counted_out` AFTER DELETE ON `product_listings` BEGIN
  UPDATE `listing_counts` SET `total` = `total` - 1
  WHERE `tenant_id` = old.`tenant_id` AND `currency` = old.`currency`
    AND `category_id` = old.`category_id` AND `status` = old.`status`;
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
