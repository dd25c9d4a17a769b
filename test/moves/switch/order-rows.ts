/** Rows that orders write, in tables that change all the time. */
import { storeOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

/** Writes the rows of so many orders, numbered from `first` on, or changes those that are there. */
export const takeOrders = (shop: World, count: number, first = 1) => {
  const write = (into: string) =>
    storeOf(shop)
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT ?3 UNION ALL SELECT i + 1 FROM n WHERE i < ?3 + ?2 - 1) INSERT INTO ${into}
          FROM n WHERE true ON CONFLICT DO UPDATE SET tenant_id = excluded.tenant_id`,
      )
      .bind(shop.tenantId, count, first);
  return storeOf(shop).batch([
    write(`order_lines (tenant_id, order_id, id, product_id, sku, name, options, quantity, unit_price, subtotal,
      discount, tax, links) SELECT ?1, format('ord_%d_%d', ?1, i), 1, 1, 'CUP', 'Cup', '[]', 1, 1, 1, 0, 0, '[]'`),
    write(`idempotency_keys (tenant_id, application_id, key, fingerprint, owner, locked_until, answer, created_at)
      SELECT ?1, 1, 'key_' || i, 'f', 'o', 0, 'sealed', 9e12`),
    storeOf(shop)
      .prepare('UPDATE tenants SET stock_moved_at = stock_moved_at + 1 WHERE id = ?')
      .bind(shop.tenantId),
  ]);
};
