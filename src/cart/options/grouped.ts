import type { SellableView } from '../../catalog/index.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import { type OfferQuantity, offerOf, stockNeed } from './offer.ts';
import { type Options, option, parseQuantity } from './options.ts';

/**
 * Resolves `{"qty": {"31": 2}}` to one offer per chosen member. Without `qty`, uses the default quantities of
 * the members on sale.
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
    return invalid('options.qty', `must be an object of quantities keyed by product id: ${offered}`);
  }
  const wanted: OfferQuantity[] = [];
  for (const [id, value] of Object.entries(qty)) {
    const member = onSale.find((one) => String(one.id) === id);
    const count = parseQuantity(value);
    if (!member) return invalid(`options.qty.${id}`, `must be a member of this product: ${offered}`);
    if (count === null) return invalid(`options.qty.${id}`, 'must be an integer from 0 to 9999');
    const choice = { options: {}, prices: member.prices, needs: stockNeed(member, 1) };
    if (count > 0) wanted.push({ offer: offerOf(member, choice, custom), quantity: count * times });
  }
  if (wanted.length === 0) return invalid('options.qty', `must choose at least one of ${offered}`);
  return ok(wanted);
}

/** Returns the default quantities of the members on sale. */
const defaults = (onSale: SellableView['members'], { grouped = [] }: SellableView['details']): Options =>
  Object.fromEntries(
    grouped
      .filter(({ product_id }) => onSale.some(({ id }) => id === product_id))
      .map(({ product_id, default_quantity }) => [product_id, default_quantity]),
  );
