DROP INDEX `media_uses_hash`;--> statement-breakpoint
CREATE INDEX `media_uses_image` ON `media_uses` (`tenant_id`,`hash`,`product_id`);