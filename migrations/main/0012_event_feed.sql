PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_outbox` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`type` text NOT NULL,
	`resource` text NOT NULL,
	`sequence` integer NOT NULL,
	`data` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`batch` text NOT NULL,
	`relayed_at` integer
);
--> statement-breakpoint
-- Rows from before positions get theirs in the order in which they occurred.
INSERT INTO `__new_outbox`("id", "tenant_id", "type", "resource", "sequence", "data", "occurred_at", "batch", "relayed_at") SELECT "id", "tenant_id", "type", "resource", "sequence", "data", "occurred_at", "batch", "relayed_at" FROM `outbox` ORDER BY "occurred_at", "sequence";--> statement-breakpoint
DROP TABLE `outbox`;--> statement-breakpoint
ALTER TABLE `__new_outbox` RENAME TO `outbox`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_id_unique` ON `outbox` (`id`);--> statement-breakpoint
CREATE INDEX `outbox_batch` ON `outbox` (`tenant_id`,`batch`);--> statement-breakpoint
CREATE INDEX `outbox_unrelayed` ON `outbox` (`occurred_at`) WHERE relayed_at IS NULL;--> statement-breakpoint
CREATE INDEX `outbox_feed` ON `outbox` (`tenant_id`,`type`);--> statement-breakpoint
CREATE INDEX `outbox_resource` ON `outbox` (`tenant_id`,`resource`);--> statement-breakpoint
CREATE INDEX `outbox_occurred` ON `outbox` (`occurred_at`);--> statement-breakpoint
ALTER TABLE `webhooks` ADD `filter` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `ordered` integer DEFAULT false NOT NULL;