import type { z } from 'zod';
import { type Cell, csvFile } from '../kernel/http/csv.ts';
import type { Amount, PromotionAnswer } from './schemas.ts';

/** Returns an amount in a cell: a number, or "EUR 5; USD 6". */
const amountCell = (amount: z.output<typeof Amount> | null): Cell =>
  amount === null || typeof amount === 'number'
    ? amount
    : Object.entries(amount)
        .map(([currency, value]) => `${currency} ${value}`)
        .join('; ');

/** Returns what a promotion gives: its kind, the value off, and the units of a set. */
function effectCells(effect: PromotionAnswer['effect']): Cell[] {
  const { kind } = effect;
  switch (kind) {
    case 'percent':
    case 'fixed':
      return [kind, amountCell(effect.value), null, null];
    case 'free_shipping':
      return [kind, null, null, null];
    case 'buy_x_get_y':
      return [kind, effect.percent_off, effect.buy, effect.get];
  }
}

/** The file of a list of promotions. */
export const promotionCsv = csvFile<PromotionAnswer>('promotions.csv', [
  [['id', 'name', 'trigger', 'code'], ({ id, name, trigger, code }) => [id, name, trigger, code]],
  [['kind', 'value', 'buy', 'get'], ({ effect }) => effectCells(effect)],
  [
    ['minimum_subtotal', 'minimum_quantity', 'product_ids', 'category_ids', 'first_order'],
    ({ conditions: { minimum_subtotal, minimum_quantity, product_ids, category_ids, first_order } }) => [
      amountCell(minimum_subtotal),
      minimum_quantity,
      product_ids.join('; '),
      category_ids.join('; '),
      first_order,
    ],
  ],
  [
    ['priority', 'combinable', 'active', 'starts_at', 'ends_at'],
    ({ priority, combinable, active, starts_at, ends_at }) => [
      priority,
      combinable,
      active,
      starts_at,
      ends_at,
    ],
  ],
  [
    ['max_uses', 'max_uses_per_customer', 'uses', 'created_at'],
    ({ max_uses, max_uses_per_customer, uses, created_at }) => [
      max_uses,
      max_uses_per_customer,
      uses,
      created_at,
    ],
  ],
]);
