CREATE INDEX `promotions_kept` ON `promotions` (`tenant_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `imports_open` ON `imports` (`tenant_id`) WHERE status IN ('receiving', 'queued', 'running');--> statement-breakpoint
CREATE INDEX `customers_erased_of_tenant` ON `customers` (`tenant_id`,`id`) WHERE erased_at IS NOT NULL;