/** The order of a list of orders, and where its pages end. */
import { asc, desc, type SQL, sql } from 'drizzle-orm';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { OrderKey, OrderSort } from '../schemas.ts';
import { type OrderRow, orders } from '../tables.ts';

/**
 * The column that each sort compares first, and whether it is descending. Orders that are equal in it go by number.
 */
const SORTINGS = {
  newest: { column: orders.createdAt, falls: true },
  oldest: { column: orders.createdAt, falls: false },
  total_desc: { column: orders.grandTotal, falls: true },
  total_asc: { column: orders.grandTotal, falls: false },
} as const satisfies Record<OrderSort, unknown>;

/** Returns the terms of ORDER BY. */
export const orderTermsOf = (sort: OrderSort): SQL[] => {
  const { column, falls } = SORTINGS[sort];
  return [column, orders.number].map((one) => (falls ? desc(one) : asc(one)));
};

/** Returns the condition for the orders after a place in the list. */
export const afterKey = (sort: OrderSort, [value, number]: OrderKey): SQL => {
  const { column, falls } = SORTINGS[sort];
  const place = sql`(${column}, ${orders.number})`;
  return falls ? sql`${place} < (${value}, ${number})` : sql`${place} > (${value}, ${number})`;
};

/** Returns the place of an order in the list. */
export const orderKeyOf = (sort: OrderSort, row: OrderRow): OrderKey => {
  const value = SORTINGS[sort].column === orders.grandTotal ? row.grandTotal : row.createdAt;
  return sort === 'newest' ? [value, row.number] : [value, row.number, sort];
};

/** Checks that a cursor belongs to the sort that it is used with. */
export const checkSort = (sort: OrderSort, key: OrderKey | null): Result<null> =>
  key !== null && (key[2] ?? 'newest') !== sort ? invalid('cursor', 'belongs to another sort') : ok(null);
