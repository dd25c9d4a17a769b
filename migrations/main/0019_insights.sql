CREATE TABLE `call_hours` (
	`tenant_id` integer NOT NULL,
	`start` integer NOT NULL,
	`application_id` integer NOT NULL,
	`calls` integer NOT NULL,
	`client_errors` integer NOT NULL,
	`server_errors` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `start`, `application_id`)
);
--> statement-breakpoint
CREATE INDEX `call_hours_age` ON `call_hours` (`start`);--> statement-breakpoint
CREATE TABLE `item_sales` (
	`tenant_id` integer NOT NULL,
	`span` text NOT NULL,
	`start` integer NOT NULL,
	`sku` text NOT NULL,
	`product_id` integer NOT NULL,
	`name` text NOT NULL,
	`units` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `span`, `start`, `sku`)
);
--> statement-breakpoint
CREATE INDEX `item_sales_age` ON `item_sales` (`span`,`start`);--> statement-breakpoint
CREATE TABLE `sales_hours` (
	`tenant_id` integer NOT NULL,
	`currency` text NOT NULL,
	`start` integer NOT NULL,
	`orders` integer DEFAULT 0 NOT NULL,
	`sales` integer DEFAULT 0 NOT NULL,
	`abandoned_carts` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant_id`, `start`, `currency`)
);
--> statement-breakpoint
CREATE INDEX `sales_hours_age` ON `sales_hours` (`start`);
--> statement-breakpoint
INSERT INTO `sales_hours` (`tenant_id`, `currency`, `start`, `orders`, `sales`)
SELECT o.`tenant_id`, o.`currency`, o.`paid_at` - o.`paid_at` % 3600000,
  sum(o.`status` <> 'cancelled' AND o.`payment_status` <> 'refunded'),
  sum(o.`grand_total` - coalesce((SELECT sum(r.`amount`) FROM `refunds` r WHERE r.`tenant_id` = o.`tenant_id`
    AND r.`order_id` = o.`id` AND r.`status` = 'succeeded' AND r.`source` <> 'surplus'), 0))
FROM `orders` o WHERE o.`paid_at` > (unixepoch() - 62 * 86400) * 1000 GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO `item_sales` (`tenant_id`, `span`, `start`, `sku`, `product_id`, `name`, `units`)
SELECT o.`tenant_id`, 'day', o.`paid_at` - o.`paid_at` % 86400000, l.`sku`, min(l.`product_id`), min(l.`name`),
  sum(l.`quantity` - coalesce((SELECT sum(i.value ->> 'quantity') FROM `refunds` r, json_each(r.`items`) i
    WHERE r.`tenant_id` = o.`tenant_id` AND r.`order_id` = o.`id` AND r.`status` = 'succeeded'
      AND i.value ->> 'lineId' = l.`id`), 0))
FROM `orders` o JOIN `order_lines` l ON l.`tenant_id` = o.`tenant_id` AND l.`order_id` = o.`id`
WHERE o.`status` = 'paid' AND o.`paid_at` > (unixepoch() - 31 * 86400) * 1000 GROUP BY 1, 3, 4;
