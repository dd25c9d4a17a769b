ALTER TABLE `order_lines` ADD `slug` text;--> statement-breakpoint
ALTER TABLE `order_lines` ADD `type` text;--> statement-breakpoint
ALTER TABLE `order_lines` ADD `image` text;