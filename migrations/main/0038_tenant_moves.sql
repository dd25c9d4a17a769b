CREATE TABLE `move_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `move_changes_row` ON `move_changes` (`tenant_id`,`name`,`key`);--> statement-breakpoint
CREATE INDEX `move_changes_tenant` ON `move_changes` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `tenant_moves` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`state` text NOT NULL,
	`progress` text NOT NULL,
	`epoch` integer NOT NULL,
	`claimed_until` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`switched_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `tenant_moves_tenant` ON `tenant_moves` (`tenant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `tenant_moves_unfinished` ON `tenant_moves` (`created_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `tenant_moves_running` ON `tenant_moves` (`tenant_id`) WHERE ended_at IS NULL AND switched_at IS NULL;--> statement-breakpoint
CREATE TABLE `tenant_fences` (
	`tenant_id` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`epoch` integer NOT NULL,
	`held_until` integer
);
