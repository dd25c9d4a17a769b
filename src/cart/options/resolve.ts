import type { SellableView } from '../../catalog/index.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { resolveSlot } from './booking.ts';
import { resolveBundle } from './bundled.ts';
import { resolveVariant } from './configurable.ts';
import { resolveLinks } from './downloadable.ts';
import { resolveMembers } from './grouped.ts';
import { type Offer, type OfferQuantity, offerOf, type ResolvedOptions, stockNeed } from './offer.ts';
import type { Options } from './options.ts';

/** The option names of each product type; other names are the shopper's custom data. */
const TYPE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  downloadable: ['links'],
  configurable: ['variant_id', 'attributes'],
  grouped: ['qty'],
  bundled: ['bundle_options', 'bundle_option_qty'],
  booking: ['booking'],
};

/**
 * Resolves a product and its options to one offer, or for a grouped product to one per chosen member.
 * Fails with 404 if the product is not on sale, and with 422 naming a missing or invalid option.
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
  const chosen = resolveSingle(view, options, at);
  if (!chosen.ok) return chosen;
  return ok([{ offer: offerOf(view.product, chosen.value, custom.value), quantity }]);
}

/** Returns the current offer of an existing line, or null if it is no longer on sale with these options. */
export function resolveOffer(view: SellableView, options: Options, at: number): Offer | null {
  const { attributes: _, ...rest } = options;
  // The id identifies a variant; its attributes may have been renamed.
  const known = view.product.type === 'configurable' ? rest : options;
  if (view.product.type === 'grouped') return null;
  const resolved = resolveOffers(view, known, 1, at);
  return resolved.ok ? (resolved.value[0]?.offer ?? null) : null;
}

function resolveSingle(view: SellableView, options: Options, at: number): Result<ResolvedOptions> {
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

/** Returns the options that are not the type's own: scalars, stored as the shopper's custom data. */
function customData({ product }: SellableView, options: Options): Result<Options> {
  const own = TYPE_OPTIONS[product.type] ?? [];
  const custom = Object.entries(options).filter(([name]) => !own.includes(name));
  for (const [name, value] of custom) {
    if (value !== null && typeof value === 'object') {
      return invalid(`options.${name}`, 'must be a string, number, boolean or null');
    }
  }
  return ok(Object.fromEntries(custom));
}
