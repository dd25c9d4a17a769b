import type { CartView } from '../catalog/index.ts';
import { fail, invalid, ok, type Result } from '../kernel/result.ts';
import { bookedSlot } from './booking.ts';
import { chosenBundle } from './bundle.ts';
import { chosenMembers } from './grouped.ts';
import { chosenLinks } from './links.ts';
import { type Choice, needOf, type Offer, offerOf, type Wanted } from './offer.ts';
import type { Options } from './options.ts';
import { chosenVariant } from './variant.ts';

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
export function offersFor(
  view: CartView,
  options: Options,
  quantity: number,
  at: number,
): Result<readonly Wanted[]> {
  if (view.product.status !== 'active') return fail('product_not_found');
  const custom = customData(view, options);
  if (!custom.ok) return custom;
  if (view.product.type === 'grouped') return chosenMembers(view, options, custom.value, quantity);
  const chosen = choose(view, options, at);
  if (!chosen.ok) return chosen;
  return ok([{ offer: offerOf(view.product, chosen.value, custom.value), quantity }]);
}

/** The offer that a line was made from, as it is now; `null` when it is no longer on sale like that. */
export function offerAgain(view: CartView, options: Options, at: number): Offer | null {
  const { attributes: _, ...rest } = options;
  // A variant is known by its id: its attributes may have been renamed since.
  const known = view.product.type === 'configurable' ? rest : options;
  if (view.product.type === 'grouped') return null;
  const again = offersFor(view, known, 1, at);
  return again.ok ? (again.value[0]?.offer ?? null) : null;
}

function choose(view: CartView, options: Options, at: number): Result<Choice> {
  switch (view.product.type) {
    case 'configurable':
      return chosenVariant(view, options);
    case 'downloadable':
      return chosenLinks(view, options);
    case 'bundled':
      return chosenBundle(view, options);
    case 'booking':
      return bookedSlot(view, options, at);
    default:
      return ok({ options: {}, prices: view.product.prices, needs: needOf(view.product, 1) });
  }
}

/** What is not the type's own: scalars, kept as the shopper's data. */
function customData({ product }: CartView, options: Options): Result<Options> {
  const own = OWN[product.type] ?? [];
  const custom = Object.entries(options).filter(([name]) => !own.includes(name));
  for (const [name, value] of custom) {
    if (value !== null && typeof value === 'object') {
      return invalid(`options.${name}`, 'must be a text, a number, true or false');
    }
  }
  return ok(Object.fromEntries(custom));
}
