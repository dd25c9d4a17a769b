/** The order of a list of orders, and where its pages end. */
import { asc, desc, type SQL, sql } from 'drizzle-orm';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { OrderKey, OrderListQuery, OrderSort } from '../schemas.ts';
import { type OrderRow, orders } from '../tables.ts';

/**
 * The column that each sort compares first, and whether it is descending. Orders that are equal in it go by number.
 */
const SORTINGS = {
  newest: { by: 'createdAt', falls: true },
  oldest: { by: 'createdAt', falls: false },
  total_desc: { by: 'grandTotal', falls: true },
  total_asc: { by: 'grandTotal', falls: false },
  updated: { by: 'updatedAt', falls: false },
} as const satisfies Record<OrderSort, unknown>;

/** Returns the sort of a list: newest first by default, or by change where changes are asked for. */
export const sortOf = ({ sort, updated_since }: Pick<OrderListQuery, 'sort' | 'updated_since'>): OrderSort =>
  sort ?? (updated_since === undefined ? 'newest' : 'updated');

/** Returns the terms of ORDER BY. */
export const orderTermsOf = (sort: OrderSort): SQL[] => {
  const { by, falls } = SORTINGS[sort];
  return [orders[by], orders.number].map((one) => (falls ? desc(one) : asc(one)));
};

/** Returns the condition for the orders after a place in the list. */
export const afterKey = (sort: OrderSort, [value, number]: OrderKey): SQL => {
  const { by, falls } = SORTINGS[sort];
  const place = sql`(${orders[by]}, ${orders.number})`;
  return falls ? sql`${place} < (${value}, ${number})` : sql`${place} > (${value}, ${number})`;
};

/** Returns the place of an order in the list. */
export const orderKeyOf = (sort: OrderSort, row: OrderRow): OrderKey => {
  const value = row[SORTINGS[sort].by];
  return sort === 'newest' ? [value, row.number] : [value, row.number, sort];
};

/** Checks that a cursor belongs to the sort that it is used with. */
export const checkSort = (sort: OrderSort, key: OrderKey | null): Result<null> =>
  key !== null && (key[2] ?? 'newest') !== sort ? invalid('cursor', 'belongs to another sort') : ok(null);
