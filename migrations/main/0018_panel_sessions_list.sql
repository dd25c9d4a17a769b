ALTER TABLE `panel_sessions` ADD `started_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `panel_sessions` ADD `used_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `panel_sessions` ADD `device` text DEFAULT 'Unknown browser' NOT NULL;