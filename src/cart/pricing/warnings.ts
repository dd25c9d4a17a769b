import { now } from '../../kernel/core/clock.ts';
import { countryName } from '../../kernel/values/countries.ts';
import { formatMoney, toNumber } from '../../kernel/values/money.ts';
import { isDeliverable, type PricedShipping } from '../../pricing/index.ts';
import { offeredMethods } from '../../shipping/index.ts';
import { type CartState, lockingOrder, type NotMerged } from '../object/state.ts';
import type { Warning } from '../schemas.ts';
import { reservedStock, shortLines } from './stock.ts';

/** Returns the warnings: changed prices, insufficient stock, an unfit shipping method, an incomplete merge, removed codes. */
export function warningsOf(state: CartState, shipping: PricedShipping): Warning[] {
  const { lines, head } = state;
  const { currency } = head;
  const price = (minor: number) => formatMoney(toNumber(minor, currency), currency);
  const moved = lines.flatMap(({ id, offer, was, unitPrice }): Warning[] =>
    was === null
      ? []
      : [
          {
            code: 'price_changed',
            item_id: id,
            previous_unit_price: toNumber(was, currency),
            message: `The price of ${offer.name} has changed from ${price(was)} to ${price(unitPrice)}.`,
          },
        ],
  );
  const short = lockingOrder(state, now()) ? [] : shortLines(lines, reservedStock(state));
  const stock = short.map(({ line, available }): Warning => {
    const { name } = line.offer;
    const shortage = { item_id: line.id, available };
    return available === 0
      ? { code: 'out_of_stock', ...shortage, message: `${name} is sold out.` }
      : { code: 'not_enough_stock', ...shortage, message: `Only ${available} of ${name} can be bought.` };
  });
  return [
    ...moved,
    ...stock,
    ...shippingWarnings(state, shipping),
    ...mergeWarnings(head.notMerged),
    ...couponWarnings('coupons_removed', 'Codes that can no longer be used', head.removedCodes),
  ];
}

/** Returns the warning about codes, if there are any. */
const couponWarnings = (code: Warning['code'], what: string, coupons: readonly string[]): Warning[] =>
  coupons.length === 0 ? [] : [{ code, coupons: [...coupons], message: `${what}: ${coupons.join(', ')}.` }];

const NOT_MERGED = 'of your earlier cart that this cart could not take';

/** Returns the warnings about what the last merge could not take from the customer's earlier cart. */
function mergeWarnings(notMerged: NotMerged | null): Warning[] {
  if (!notMerged) return [];
  const { names, items, codes } = notMerged;
  const others = items > names.length ? [`and ${items - names.length} more`] : [];
  const listed = [...names, ...others].join(', ');
  return [
    ...(listed === ''
      ? []
      : [{ code: 'items_not_merged' as const, message: `Items ${NOT_MERGED}: ${listed}.` }]),
    ...couponWarnings('coupons_not_merged', `Codes ${NOT_MERGED}`, codes),
  ];
}

/** Returns the warnings about shipping: no method delivers to the country, or the chosen one does not fit. */
function shippingWarnings({ head, pricing }: CartState, shipping: PricedShipping): Warning[] {
  const { address, shippingMethod: chosen } = head;
  if (!isDeliverable(shipping)) {
    if (address === null) return [];
    const message = `No shipping method delivers to ${countryName(address.country)}.`;
    return [{ code: 'shipping_unavailable', message }];
  }
  const { selected, rule } = shipping;
  if (chosen === null || rule === 'nothing_shipped' || selected?.method.id === chosen) return [];
  const name = offeredMethods(pricing.shipping).find(({ id }) => id === chosen)?.name ?? chosen;
  const message = `${name} does not fit this cart; ${selected?.method.name} applies in its place.`;
  return [{ code: 'shipping_method_changed', message }];
}
