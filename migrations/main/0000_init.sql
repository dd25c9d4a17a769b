CREATE TABLE `applications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`scopes` text NOT NULL,
	`allowed_origins` text NOT NULL,
	`rate_limit_per_minute` integer,
	`expires_at` integer,
	`last_used_at` integer,
	`token_hash` text NOT NULL,
	`previous_hash` text,
	`previous_until` integer,
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
	`seo` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `categories_slug` ON `categories` (`tenant_id`,`slug`);--> statement-breakpoint
CREATE INDEX `categories_parent` ON `categories` (`tenant_id`,`parent_id`);--> statement-breakpoint
CREATE TABLE `category_ancestors` (
	`tenant_id` integer NOT NULL,
	`category_id` integer NOT NULL,
	`ancestor_id` integer NOT NULL,
	`distance` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `category_id`, `ancestor_id`)
);
--> statement-breakpoint
CREATE INDEX `category_descendants` ON `category_ancestors` (`tenant_id`,`ancestor_id`);--> statement-breakpoint
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
CREATE INDEX `product_categories_category` ON `product_categories` (`tenant_id`,`category_id`);--> statement-breakpoint
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
CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`n` integer NOT NULL,
	`tenant_id` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`import_id`, `n`),
	CONSTRAINT "import_chunk_size" CHECK(length("import_chunks"."bytes") <= 524288)
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
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `application_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_age` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
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
CREATE INDEX `outbox_age` ON `outbox` (`tenant_id`,`occurred_at`);