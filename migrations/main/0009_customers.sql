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
CREATE TABLE `password_resets` (
	`hash` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`customer_id` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `password_resets_customer` ON `password_resets` (`tenant_id`,`customer_id`);--> statement-breakpoint
CREATE INDEX `password_resets_end` ON `password_resets` (`expires_at`);