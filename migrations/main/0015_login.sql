ALTER TABLE `applications` ADD `server_side` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `idempotency_keys` ADD `customer_id` integer;--> statement-breakpoint
CREATE INDEX `idempotency_keys_customer` ON `idempotency_keys` (`tenant_id`,`customer_id`) WHERE customer_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_person` ON `outbox` (`tenant_id`,`resource`) WHERE type NOT IN ('product.updated', 'stock.changed');--> statement-breakpoint
UPDATE `applications` SET `server_side` = 1 WHERE `kind` = 'integration';
