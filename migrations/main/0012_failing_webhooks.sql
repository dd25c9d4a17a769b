ALTER TABLE `webhooks` ADD `failing_since` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `last_error` text;--> statement-breakpoint
CREATE INDEX `webhooks_failing` ON `webhooks` (`failing_since`) WHERE failing_since IS NOT NULL;