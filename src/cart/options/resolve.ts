import type { SellableView } from '../../catalog/index.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { resolveSlot } from './booking.ts';
import { resolveBundle } from './bundled.ts';
import { resolveVariant } from './configurable.ts';
import { resolveLinks } from './downloadable.ts';
import { resolveMembers } from './grouped.ts';
import { type Offer, type OfferQuantity, offerOf, type ResolvedOptions, stockNeed } from './offer.ts';
import type { Options } from './options.ts';

/** The options that belong to a type; other names are the shopper's own data. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  downloadable: ['links'],
  configurable: ['variant_id', 'attributes'],
  grouped: ['qty'],
  bundled: ['bundle_options', 'bundle_option_qty'],
  booking: ['booking'],
};

/**
 * What adding a product with these options comes to: one offer, or for a grouped product one for each
 * chosen member. 404 for what is not on sale; 422 names the option that is missing or wrong.
 */
export function resolveOffers(
  view: SellableView,
  options: Options,
  quantity: number,
  at: number,
): Result<readonly OfferQuantity[]> {
  if (view.product.status !== 'active') return fail('product_not_found');
  const custom = customData(view, options);
  if (!custom.ok) return custom;
  if (view.product.type === 'grouped') return resolveMembers(view, options, custom.value, quantity);
  const chosen = choose(view, options, at);
  if (!chosen.ok) return chosen;
  return ok([{ offer: offerOf(view.product, chosen.value, custom.value), quantity }]);
}

/** The offer that a line was made from, as it is now; `null` when it is no longer on sale like that. */
export function resolveOffer(view: SellableView, options: Options, at: number): Offer | null {
  const { attributes: _, ...rest } = options;
  // A variant is known by its id: its attributes may have been renamed since.
  const known = view.product.type === 'configurable' ? rest : options;
  if (view.product.type === 'grouped') return null;
  const again = resolveOffers(view, known, 1, at);
  return again.ok ? (again.value[0]?.offer ?? null) : null;
}

function choose(view: SellableView, options: Options, at: number): Result<ResolvedOptions> {
  switch (view.product.type) {
    case 'configurable':
      return resolveVariant(view, options);
    case 'downloadable':
      return resolveLinks(view, options);
    case 'bundled':
      return resolveBundle(view, options);
    case 'booking':
      return resolveSlot(view, options, at);
    default:
      return ok({ options: {}, prices: view.product.prices, needs: stockNeed(view.product, 1) });
  }
}

/** What is not the type's own: scalars, kept as the shopper's data. */
function customData({ product }: SellableView, options: Options): Result<Options> {
  const own = OWN[product.type] ?? [];
  const custom = Object.entries(options).filter(([name]) => !own.includes(name));
  for (const [name, value] of custom) {
    if (value !== null && typeof value === 'object') {
      return invalid(`options.${name}`, 'must be a text, a number, true or false');
    }
  }
  return ok(Object.fromEntries(custom));
}
