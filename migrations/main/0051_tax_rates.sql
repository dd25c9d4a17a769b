ALTER TABLE `order_lines` ADD `tax_rate` integer;--> statement-breakpoint
ALTER TABLE `orders` ADD `shipping_tax_rate` integer;