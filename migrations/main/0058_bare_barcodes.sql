-- The generator quotes an expression at its commas: this one is written by hand.
DROP INDEX `products_barcode`;--> statement-breakpoint
CREATE INDEX `products_barcode` ON `products` (`tenant_id`,replace(replace(barcode, '-', ''), ' ', '')) WHERE barcode IS NOT NULL AND deleted_at IS NULL;--> statement-breakpoint
DROP INDEX `variants_barcode`;--> statement-breakpoint
CREATE INDEX `variants_barcode` ON `variants` (`tenant_id`,replace(replace(barcode, '-', ''), ' ', '')) WHERE barcode IS NOT NULL AND deleted = 0;
