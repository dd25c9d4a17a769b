DROP INDEX `outbox_age`;--> statement-breakpoint
CREATE INDEX `outbox_occurred` ON `outbox` (`occurred_at`);--> statement-breakpoint
ALTER TABLE `orders` ADD `claimed_until` integer;