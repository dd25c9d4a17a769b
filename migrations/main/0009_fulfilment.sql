CREATE TABLE `order_timeline` (
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`id` integer NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`details` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `order_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `order_terms` (
	`tenant_id` integer NOT NULL,
	`term` text NOT NULL,
	`order_id` text NOT NULL,
	`personal` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `term`, `order_id`)
);
--> statement-breakpoint
CREATE INDEX `order_terms_order` ON `order_terms` (`tenant_id`,`order_id`,`term`);--> statement-breakpoint
CREATE TABLE `order_fulfilments` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` integer NOT NULL,
	`order_id` text NOT NULL,
	`position` integer NOT NULL,
	`state` text NOT NULL,
	`items` text NOT NULL,
	`tracking` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_fulfilments_order` ON `order_fulfilments` (`tenant_id`,`order_id`,`position`);--> statement-breakpoint
ALTER TABLE `order_lines` ADD `ships` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `order_lines` ADD `fulfilled` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `fulfilment_status` text DEFAULT 'unfulfilled' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `billing_address` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `note` text;--> statement-breakpoint
ALTER TABLE `orders` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_email` ON `orders` (`tenant_id`,`email`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_payment` ON `orders` (`tenant_id`,`payment_status`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_fulfilment` ON `orders` (`tenant_id`,`fulfilment_status`,`payment_status`,`created_at`);--> statement-breakpoint
-- Orders from before: their lines ship unless the product's type says otherwise.
UPDATE order_lines SET ships = 0 WHERE links <> '[]' OR EXISTS (SELECT 1 FROM products p
  WHERE p.tenant_id = order_lines.tenant_id AND p.id = order_lines.product_id
    AND p.type IN ('virtual', 'downloadable', 'booking'));--> statement-breakpoint
UPDATE orders SET fulfilment_status = 'fulfilled' WHERE status = 'paid' AND NOT EXISTS (SELECT 1 FROM order_lines l
  WHERE l.tenant_id = orders.tenant_id AND l.order_id = orders.id AND l.ships = 1);--> statement-breakpoint
INSERT INTO order_timeline (tenant_id, order_id, id, at, type, actor_kind, actor_id, details)
  SELECT tenant_id, id, 1, created_at, 'placed', 'system', NULL, '{}' FROM orders;--> statement-breakpoint
INSERT INTO order_timeline (tenant_id, order_id, id, at, type, actor_kind, actor_id, details)
  SELECT tenant_id, id, 2, paid_at, 'paid', CASE provider WHEN 'external' THEN 'system' ELSE 'provider' END,
    CASE provider WHEN 'external' THEN NULL ELSE provider END, json_object('provider', provider)
  FROM orders WHERE paid_at IS NOT NULL;--> statement-breakpoint
INSERT INTO order_timeline (tenant_id, order_id, id, at, type, actor_kind, actor_id, details)
  SELECT tenant_id, id, 3, updated_at, 'cancelled', CASE cancel_reason WHEN 'shopper' THEN 'shopper' ELSE 'system' END,
    NULL, json_object('cancel_reason', cancel_reason)
  FROM orders WHERE status = 'cancelled';--> statement-breakpoint
-- SQL folds ASCII only: words of names with other letters are found as they were written.
INSERT OR IGNORE INTO order_terms (tenant_id, order_id, term, personal)
  SELECT tenant_id, id, CAST(number AS TEXT), 0 FROM orders;--> statement-breakpoint
INSERT OR IGNORE INTO order_terms (tenant_id, order_id, term, personal)
  WITH RECURSIVE texts (tenant_id, order_id, word, rest) AS (
    SELECT tenant_id, order_id, '', lower(replace(replace(replace(sku, '-', ' '), '_', ' '), '.', ' ')) || ' '
      FROM order_lines
    UNION ALL
    SELECT tenant_id, order_id, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1)
      FROM texts WHERE rest <> '')
  SELECT tenant_id, order_id, word, 0 FROM texts WHERE word <> '';--> statement-breakpoint
INSERT OR IGNORE INTO order_terms (tenant_id, order_id, term, personal)
  SELECT tenant_id, id, lower(email), 1 FROM orders WHERE email IS NOT NULL;--> statement-breakpoint
INSERT OR IGNORE INTO order_terms (tenant_id, order_id, term, personal)
  WITH RECURSIVE texts (tenant_id, order_id, word, rest) AS (
    SELECT tenant_id, id, '', lower(replace(name, '-', ' ')) || ' ' FROM orders WHERE name IS NOT NULL
    UNION ALL
    SELECT tenant_id, order_id, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1)
      FROM texts WHERE rest <> '')
  SELECT tenant_id, order_id, word, 1 FROM texts WHERE word <> '';
