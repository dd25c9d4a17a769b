CREATE TABLE `refund_allowances` (
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`subject` text NOT NULL,
	`total` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `order_id`, `subject`),
	CONSTRAINT "refunds_within_allowance" CHECK(used BETWEEN 0 AND total)
);
--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`payment_id` text NOT NULL,
	`provider` text NOT NULL,
	`reference` text,
	`source` text NOT NULL,
	`status` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`items` text NOT NULL,
	`shipping` integer NOT NULL,
	`reason` text,
	`failure_reason` text,
	`requested_by` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer,
	`generation` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `refunds_order` ON `refunds` (`tenant_id`,`order_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_reference` ON `refunds` (`tenant_id`,`provider`,`reference`);--> statement-breakpoint
CREATE INDEX `refunds_due` ON `refunds` (`next_try_at`) WHERE status = 'pending';--> statement-breakpoint
INSERT INTO `refunds` (`id`, `tenant_id`, `order_id`, `payment_id`, `provider`, `source`, `status`, `amount`, `currency`, `items`, `shipping`, `requested_by`, `next_try_at`, `created_at`, `updated_at`)
SELECT 'ref_' || substr(p.`id`, 5), p.`tenant_id`, p.`order_id`, p.`id`, p.`provider`,
  CASE WHEN o.`paid_at` IS NOT NULL AND o.`cancel_reason` IS NOT NULL AND p.`id` = (SELECT q.`id` FROM `payments` q
    WHERE q.`tenant_id` = p.`tenant_id` AND q.`order_id` = p.`order_id` AND q.`state` IN ('paid', 'refund_due', 'refunded')
    ORDER BY q.`created_at` LIMIT 1) THEN 'cancellation' ELSE 'surplus' END,
  CASE p.`state` WHEN 'refunded' THEN 'succeeded' ELSE 'pending' END, p.`amount`, p.`currency`, '[]', 0,
  '{"kind":"system"}', CASE p.`state` WHEN 'refund_due' THEN p.`next_try_at` END, p.`updated_at`, p.`updated_at`
FROM `payments` p JOIN `orders` o ON o.`tenant_id` = p.`tenant_id` AND o.`id` = p.`order_id`
WHERE p.`state` IN ('refund_due', 'refunded');
--> statement-breakpoint
INSERT INTO `refund_allowances` (`tenant_id`, `order_id`, `subject`, `total`, `used`)
SELECT `tenant_id`, `order_id`, `payment_id`, `amount`, `amount` FROM `refunds`;
--> statement-breakpoint
DROP INDEX `payments_refunds`;--> statement-breakpoint
CREATE INDEX `payments_charge` ON `payments` (`tenant_id`,`provider`,`charge`);--> statement-breakpoint
ALTER TABLE `payments` DROP COLUMN `tries`;--> statement-breakpoint
ALTER TABLE `payments` DROP COLUMN `next_try_at`;--> statement-breakpoint
ALTER TABLE `order_lines` ADD `stock` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `dispute` text;