CREATE TABLE `dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`body` text NOT NULL,
	`sent_at` integer NOT NULL,
	`recorded_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dead_letters_age` ON `dead_letters` (`recorded_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tenant_id` integer NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`status` text NOT NULL,
	`paused_reason` text,
	`secret` text NOT NULL,
	`secret_tail` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`ref` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_ref_unique` ON `webhooks` (`ref`);--> statement-breakpoint
CREATE INDEX `webhooks_tenant` ON `webhooks` (`tenant_id`,`id`);