/** SQL that tells whether an inventory item can be sold. */
import { type SQL, sql } from 'drizzle-orm';
import type { ShownCurrency } from '../context.ts';

/**
 * SQL that tells whether inventory item `i` can be sold: it has stock or is sold without. Stock of bundles counts
 * members that are sold without, that of bookings has no other policy; stock of groups does not count them.
 */
export const IN_STOCK = `(i.on_hand > i.reserved OR CASE i.derived WHEN 'bundled' THEN 0 WHEN 'booking' THEN 0
  WHEN 'grouped' THEN EXISTS (SELECT 1 FROM stock_components c JOIN inventory_items m ON m.id = c.member_id
    WHERE c.tenant_id = i.tenant_id AND c.parent_id = i.id AND m.deleted = 0 AND m.feed = 'live' AND m.policy <> 'deny')
  ELSE i.policy <> 'deny' END)`;

/** Returns SQL that tells whether a group or bundle `i` has a member, in the bundle's group `g`, to sell in a currency. */
const hasMember = (currency: SQL, inGroup: SQL): SQL => sql`EXISTS (SELECT 1 FROM stock_components c
  JOIN inventory_items m ON m.id = c.member_id
  WHERE c.tenant_id = i.tenant_id AND c.parent_id = i.id AND ${inGroup} AND m.deleted = 0 AND m.feed = 'live'
    AND (m.policy <> 'deny' OR m.on_hand - m.reserved >= c.quantity)
    AND EXISTS (SELECT 1 FROM item_prices mp
      WHERE mp.tenant_id = i.tenant_id AND mp.product_id = m.id AND mp.currency = ${currency}))`;

/**
 * Returns SQL that tells whether inventory item `i` can be sold in a currency in which it has a price: a group with a
 * member that has one too, a bundle with such a member in each of its groups. In the main currency all have.
 */
export const sellsIn = (currency: SQL): SQL => sql`(${sql.raw(IN_STOCK)} AND CASE i.derived
  WHEN 'grouped' THEN ${hasMember(currency, sql`TRUE`)}
  WHEN 'bundled' THEN NOT EXISTS (SELECT 1 FROM stock_components g
    WHERE g.tenant_id = i.tenant_id AND g.parent_id = i.id AND NOT ${hasMember(currency, sql`c.group_id = g.group_id`)})
  ELSE TRUE END)`;

/** Returns the SQL of {@link sellsIn} for the currency shown. */
export const itemInStockIn = ({ currency, mainCurrency }: ShownCurrency): SQL =>
  currency === mainCurrency ? sql.raw(IN_STOCK) : sellsIn(sql`${currency}`);

/**
 * Returns the SQL that tells whether the product of inventory item `i` can be sold in the currency shown: a configurable
 * product by the variants that have a price in it, which in the main currency all have.
 */
export const inStockIn = (shown: ShownCurrency): SQL =>
  shown.currency === shown.mainCurrency
    ? sql.raw(IN_STOCK)
    : sql`CASE WHEN i.derived = 'configurable' THEN EXISTS (SELECT 1 FROM item_prices u
        CROSS JOIN inventory_items s ON s.id = u.item_id WHERE u.tenant_id = i.tenant_id AND u.product_id = i.id
          AND u.currency = ${shown.currency} AND (s.on_hand > s.reserved OR s.policy <> 'deny'))
      ELSE ${itemInStockIn(shown)} END`;
