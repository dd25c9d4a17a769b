CREATE INDEX `orders_total` ON `orders` (`tenant_id`,`grand_total`,`number`);--> statement-breakpoint
-- Orders are found by their tags.
INSERT OR IGNORE INTO order_terms (tenant_id, order_id, term, personal)
  SELECT o.tenant_id, o.id, '#' || t.value, 1 FROM orders o, json_each(o.tags) t WHERE o.tags <> '[]';
