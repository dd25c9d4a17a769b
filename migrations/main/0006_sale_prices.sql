CREATE TABLE `price_history` (
	`tenant_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`currency` text NOT NULL,
	`day` integer NOT NULL,
	`price` integer NOT NULL,
	`ended_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `item_id`, `currency`, `day`)
);
--> statement-breakpoint
CREATE INDEX `price_history_ended` ON `price_history` (`ended_at`);--> statement-breakpoint
ALTER TABLE `products` ADD `sale` text;--> statement-breakpoint
ALTER TABLE `products` ADD `ordinary_prices` text;--> statement-breakpoint
ALTER TABLE `products` ADD `reduced_from` text;--> statement-breakpoint
ALTER TABLE `products` ADD `lowest_prices` text;--> statement-breakpoint
ALTER TABLE `products` ADD `switch_at` integer;--> statement-breakpoint
CREATE INDEX `products_switch` ON `products` (`switch_at`,`tenant_id`) WHERE switch_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `products_tenant_switch` ON `products` (`tenant_id`,`switch_at`) WHERE switch_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `variants` ADD `sale` text;--> statement-breakpoint
ALTER TABLE `variants` ADD `ordinary_prices` text;--> statement-breakpoint
ALTER TABLE `variants` ADD `lowest_prices` text;