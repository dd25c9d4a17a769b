import type { SellableView } from '../../catalog/index.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import { type OfferQuantity, offerOf, stockNeed } from './offer.ts';
import { countOf, type Options, option } from './options.ts';

/**
 * `{"qty": {"31": 2}}`: each chosen member becomes a line of its own. Without `qty` the group's default quantities
 * are chosen, of what is on sale.
 */
export function resolveMembers(
  { members, details }: SellableView,
  options: Options,
  custom: Options,
  times: number,
): Result<readonly OfferQuantity[]> {
  const onSale = members.filter(({ status }) => status === 'active');
  const qty = option(options, 'qty') ?? (Object.hasOwn(options, 'qty') ? null : defaults(onSale, details));
  const offered = onSale.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (qty === null || typeof qty !== 'object' || Array.isArray(qty)) {
    return invalid('options.qty', `must be how many of each, by product id: ${offered}`);
  }
  const wanted: OfferQuantity[] = [];
  for (const [id, value] of Object.entries(qty)) {
    const member = onSale.find((one) => String(one.id) === id);
    const count = countOf(value);
    if (!member) return invalid(`options.qty.${id}`, `is not part of this product: ${offered}`);
    if (count === null) return invalid(`options.qty.${id}`, 'must be a whole number from 0 to 9999');
    const choice = { options: {}, prices: member.prices, needs: stockNeed(member, 1) };
    if (count > 0) wanted.push({ offer: offerOf(member, choice, custom), quantity: count * times });
  }
  if (wanted.length === 0) return invalid('options.qty', `must choose at least one of ${offered}`);
  return ok(wanted);
}

/** The default quantities of the members that are on sale. */
const defaults = (onSale: SellableView['members'], { grouped = [] }: SellableView['details']): Options =>
  Object.fromEntries(
    grouped
      .filter(({ product_id }) => onSale.some(({ id }) => id === product_id))
      .map(({ product_id, default_quantity }) => [product_id, default_quantity]),
  );
