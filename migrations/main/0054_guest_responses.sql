ALTER TABLE `idempotency_keys` ADD `order_id` text;--> statement-breakpoint
CREATE INDEX `idempotency_keys_order` ON `idempotency_keys` (`tenant_id`,`order_id`) WHERE order_id IS NOT NULL;