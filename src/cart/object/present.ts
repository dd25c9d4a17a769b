import { now } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/core/money.ts';
import { presentTotals } from '../../pricing/index.ts';
import type { CartAnswer, Warning } from '../schemas.ts';
import { shortLines } from './availability.ts';
import { reservedStock } from './reserved-stock.ts';
import { type CartState, type Line, lockingOrder } from './state.ts';
import type { CartBill } from './totals.ts';

/**
 * Renders a cart for the API. Only its owner sees address and e-mail; others see the country, which
 * determines the totals.
 */
export function presentCart(
  state: CartState,
  { totals, couponApplies }: CartBill,
  mine: boolean,
): CartAnswer {
  const { head, lines } = state;
  const { currency, address, coupon, email } = head;
  const amount = (minor: number) => toNumber(minor, currency);
  return {
    cart_token: head.token,
    items: lines.map((line, n) => presentLine(line, amount, totals.lines[n]?.subtotal ?? 0)),
    totals: presentTotals(totals, currency),
    currency,
    warnings: warningsOf(state),
    ...(coupon && { coupon: { code: coupon.code, applies: couponApplies } }),
    ...(address && { shipping_address: mine ? address : { country: address.country } }),
    ...(mine && email !== null && { email }),
  };
}

const presentLine = (
  { id, offer, quantity, unitPrice }: Line,
  amount: (minor: number) => number,
  total: number,
) => ({
  id,
  product_id: offer.productId,
  variant_id: offer.variantId,
  name: offer.name,
  sku: offer.sku,
  options: JSON.parse(offer.options),
  quantity,
  unit_price: amount(unitPrice),
  total: amount(total),
});

/** Returns the warnings: changed prices and insufficient stock. */
function warningsOf(state: CartState): Warning[] {
  const { lines, head } = state;
  const { currency } = head;
  const price = (minor: number) => `${toNumber(minor, currency)} ${currency}`;
  const moved = lines.flatMap(({ id, offer, was, unitPrice }): Warning[] =>
    was === null
      ? []
      : [
          {
            code: 'price_changed',
            item_id: id,
            message: `The price of ${offer.name} has changed from ${price(was)} to ${price(unitPrice)}.`,
          },
        ],
  );
  const short = lockingOrder(state, now()) ? [] : shortLines(lines, reservedStock(state));
  const stock = short.map(({ line, available }): Warning => {
    const { name } = line.offer;
    return available === 0
      ? { code: 'out_of_stock', item_id: line.id, message: `${name} is sold out.` }
      : {
          code: 'not_enough_stock',
          item_id: line.id,
          message: `Only ${available} of ${name} can be bought.`,
        };
  });
  return [...moved, ...stock];
}
