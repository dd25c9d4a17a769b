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
CREATE INDEX `coupons_tenant` ON `coupons` (`tenant_id`,`id`);