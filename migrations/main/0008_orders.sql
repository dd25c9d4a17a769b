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
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`tenant_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_reservation` ON `orders` (`tenant_id`,`reservation_id`) WHERE status <> 'cancelled';--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`tenant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_customer` ON `orders` (`tenant_id`,`customer_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_due` ON `orders` (`expires_at`) WHERE status = 'pending';--> statement-breakpoint
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
CREATE INDEX `payments_refunds` ON `payments` (`next_try_at`) WHERE state = 'refund_due';