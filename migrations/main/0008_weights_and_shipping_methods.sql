ALTER TABLE `orders` ADD `shipping_method` text;--> statement-breakpoint
ALTER TABLE `products` ADD `weight` integer;--> statement-breakpoint
ALTER TABLE `variants` ADD `weight` integer;