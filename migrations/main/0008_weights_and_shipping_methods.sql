ALTER TABLE `products` ADD `weight` integer;--> statement-breakpoint
ALTER TABLE `variants` ADD `weight` integer;