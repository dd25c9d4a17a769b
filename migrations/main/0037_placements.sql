CREATE TABLE `placements` (
	`tenant_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`shard` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `placements_slug_unique` ON `placements` (`slug`);--> statement-breakpoint
CREATE INDEX `placements_shard` ON `placements` (`shard`);--> statement-breakpoint
CREATE INDEX `placements_state` ON `placements` (`state`,`created_at`);--> statement-breakpoint
-- Tenants of the time before shards are in the directory's own database.
INSERT INTO `placements` (tenant_id, slug, shard, state, created_at) SELECT id, slug, 'SHARD_01', 'placed', created_at FROM `tenants`;
--> statement-breakpoint
CREATE TABLE `shards` (
	`name` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`events` integer NOT NULL,
	`measured_at` integer NOT NULL,
	`owner_id` integer
);
--> statement-breakpoint
CREATE TABLE `__new_tenant_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`pending_at` integer
);
--> statement-breakpoint
INSERT INTO `__new_tenant_hosts`("host", "tenant_id", "pending_at") SELECT "host", "tenant_id", NULL FROM `tenant_hosts`;--> statement-breakpoint
DROP TABLE `tenant_hosts`;--> statement-breakpoint
ALTER TABLE `__new_tenant_hosts` RENAME TO `tenant_hosts`;--> statement-breakpoint
CREATE INDEX `tenant_hosts_tenant` ON `tenant_hosts` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `tenant_hosts_pending` ON `tenant_hosts` (`pending_at`) WHERE pending_at IS NOT NULL;