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
CREATE INDEX `imports_tenant` ON `imports` (`tenant_id`,`created_at`);