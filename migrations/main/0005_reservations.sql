CREATE TABLE `reservations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`cart_id` text NOT NULL,
	`cart_version` integer NOT NULL,
	`status` text NOT NULL,
	`lines` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reservations_cart` ON `reservations` (`tenant_id`,`cart_id`,`cart_version`);--> statement-breakpoint
CREATE INDEX `reservations_due` ON `reservations` (`expires_at`) WHERE status = 'held';--> statement-breakpoint
CREATE TABLE `search_documents` (
	`product_id` integer PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`sequence` integer NOT NULL,
	`place` integer,
	`digest` text,
	`item` text
);
--> statement-breakpoint
CREATE INDEX `search_documents_tenant` ON `search_documents` (`tenant_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `search_spellings` (
	`tenant_id` integer NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `word`)
);
