-- When the lowest price ends of configurable products whose sales run: as `cheapestSaleEnds` has it.
UPDATE `products` SET `variant_summary` = json_set(`variant_summary`, '$.saleEnds', json(shown.ends))
FROM (
  SELECT id, json_group_object(code, ends_at) AS ends FROM (
    SELECT p.id, paid.key AS code, max(v.sale ->> 'endsAt') AS ends_at
    FROM products p INDEXED BY products_switch
      CROSS JOIN variants v ON v.tenant_id = p.tenant_id AND v.product_id = p.id AND v.deleted = 0
      CROSS JOIN json_each(v.prices) paid
    WHERE p.switch_at IS NOT NULL AND p.variant_summary IS NOT NULL AND paid.value = p.prices ->> paid.key
    GROUP BY p.id, paid.key
    HAVING count(*) = total(v.sale ->> 'running' AND v.sale ->> 'endsAt' IS NOT NULL
      AND v.ordinary_prices ->> paid.key > paid.value))
  GROUP BY id) shown
WHERE `products`.`id` = shown.id;--> statement-breakpoint
-- Platforms that agents have shopped for get the events of all their orders.
UPDATE `webhooks` SET `events` = json_insert(`events`, '$[#]', 'order.tracking_changed') WHERE `agent` IS NOT NULL;
