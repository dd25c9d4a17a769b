ALTER TABLE `products` ADD `attributes` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `products` ADD `metadata` text DEFAULT '{}' NOT NULL;