ALTER TABLE `orders` ADD `cancelled_at` integer;--> statement-breakpoint
ALTER TABLE `order_fulfilments` ADD `ended_at` integer;