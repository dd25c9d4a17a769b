ALTER TABLE `products` ADD `variant_summary` text;--> statement-breakpoint
-- Products that exist already. The options in single currencies follow with a product's next change.
UPDATE `products` SET `variant_summary` = json_object(
  'highest', (SELECT json_group_object(currency, highest) FROM (
    SELECT price.key AS currency, max(price.value) AS highest FROM `variants` v, json_each(v.`prices`) price
    WHERE v.`tenant_id` = `products`.`tenant_id` AND v.`product_id` = `products`.`id` AND v.`deleted` = 0
    GROUP BY price.key)),
  'options', (SELECT json_group_array(json_object('name', name, 'values', json(list)) ORDER BY place) FROM (
    SELECT name, min(place) AS place, json_group_array(value ORDER BY place) AS list FROM (
      SELECT a.key AS name, a.value AS value, min(v.`position` * 10000 + a.id) AS place
      FROM `variants` v, json_each(v.`attributes`) a
      WHERE v.`tenant_id` = `products`.`tenant_id` AND v.`product_id` = `products`.`id` AND v.`deleted` = 0
      GROUP BY a.key, a.value)
    GROUP BY name)),
  'optionsIn', json('{}'))
WHERE `type` = 'configurable' AND `deleted_at` IS NULL;
