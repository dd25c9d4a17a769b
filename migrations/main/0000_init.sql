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