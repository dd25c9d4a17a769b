import { isFreeLink, type SellableView } from '../../catalog/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { ownEntry } from '../../kernel/core/records.ts';
import { type Failed, fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { resolveSlot } from './booking.ts';
import { type BundleGroup, membersOnSale, resolveBundle } from './bundled.ts';
import { resolveVariant } from './configurable.ts';
import {
  type Offer,
  type OfferQuantity,
  type Options,
  offerOf,
  ordinaryPrices,
  parseQuantity,
  type ResolvedOptions,
  stockNeed,
  sumOfPrices,
} from './offer.ts';

/** The option names of each product type; other names are the shopper's custom data. */
const TYPE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  downloadable: ['links'],
  configurable: ['variant_id', 'attributes'],
  grouped: ['qty'],
  bundled: ['bundle_options', 'bundle_option_qty'],
  booking: ['booking'],
};

/** The product options that a shopper asks for. */
interface OfferRequest {
  readonly options: Options;
  readonly quantity: number;
  /** The time of the request (ms): a slot that has begun is not on sale. */
  readonly at: number;
}

/**
 * Resolves a product and its options to one offer, or for a grouped product to one per chosen member.
 * Fails with 404 if the product is not on sale, with 409 if nothing of a group, or of what a bundle requires, is on
 * sale, and with 422 naming a missing or invalid option.
 */
export function resolveOffers(view: SellableView, request: OfferRequest): Result<readonly OfferQuantity[]> {
  const { options, quantity, at } = request;
  if (view.product.status !== 'active') return fail('product_not_found');
  const custom = customData(view, options);
  if (!custom.ok) return custom;
  if (lacksMembers(view)) return noneAvailable(view, quantity);
  if (view.product.type === 'grouped') return resolveMembers(view, request, custom.value);
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
  const resolved = resolveOffers(view, { options: known, quantity: 1, at });
  return resolved.ok ? (resolved.value[0]?.offer ?? null) : null;
}

/** Returns whether a group has no member on sale, or a bundle none for one of its required groups, or none at all. */
function lacksMembers(view: SellableView): boolean {
  const { product, details } = view;
  const onSale = membersOnSale(view);
  if (product.type === 'grouped') return onSale.size === 0;
  if (product.type !== 'bundled') return false;
  const isEmpty = ({ items }: BundleGroup) => !items.some(({ product_id }) => onSale.has(product_id));
  const groups = details.bundle_groups ?? [];
  return groups.every(isEmpty) || groups.some((group) => group.required && isEmpty(group));
}

/** Returns the failure for a product of which nothing can be sold. */
const noneAvailable = ({ product }: SellableView, requested: number): Failed =>
  fail('insufficient_stock', {
    details: { product_id: product.id, variant_id: null, requested, in_cart: 0, available: 0 },
  });

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

/** Resolves `{"links": [2]}` to files, required if the product has any. Adds their prices to its own; a free file has none. */
function resolveLinks({ product, details }: SellableView, options: Options): Result<ResolvedOptions> {
  const offered = details.links ?? [];
  const wanted = ownEntry(options, 'links');
  const names = offered.map(({ id, title }) => `${id} (${title})`).join(', ');
  const needs = stockNeed(product, 1);
  if (offered.length === 0) {
    if (wanted !== undefined) return invalid('options.links', 'this product has no links');
    return ok({ options: {}, prices: product.prices, needs });
  }
  if (!Array.isArray(wanted) || wanted.length === 0) {
    return invalid('options.links', `is required: one or more of ${names}`);
  }
  const unknown = wanted.find((id) => !offered.some((link) => link.id === id));
  if (unknown !== undefined) {
    return invalid('options.links', `${JSON.stringify(unknown)} is not one of ${names}`);
  }
  const links = offered.filter(({ id }) => wanted.includes(id));
  const surcharges = links.filter((link) => !isFreeLink(link)).map(({ prices }) => ({ prices, times: 1 }));
  return ok({
    options: { links: links.map(({ id }) => id).sort((a, b) => a - b) },
    prices: sumOfPrices([{ prices: product.prices, times: 1 }, ...surcharges]),
    ordinaryPrices: sumOfPrices([{ prices: ordinaryPrices(product), times: 1 }, ...surcharges]),
    needs,
    selected: links.map(({ title }) => ({ name: 'Download', value: title })),
    links: links.map(({ id, title, url }) => ({ id, title, url })),
  });
}

/**
 * Resolves `{"qty": {"31": 2}}` to one offer per chosen member. Without `qty`, uses the default quantities of
 * the members on sale.
 */
function resolveMembers(
  { members, details }: SellableView,
  { options, quantity }: OfferRequest,
  custom: Options,
): Result<readonly OfferQuantity[]> {
  const onSale = members.filter(({ status }) => status === 'active');
  const qty = ownEntry(options, 'qty') ?? (Object.hasOwn(options, 'qty') ? null : defaults(onSale, details));
  const offered = onSale.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (qty === null || typeof qty !== 'object' || Array.isArray(qty)) {
    return invalid('options.qty', `must be an object of quantities keyed by product id: ${offered}`);
  }
  const wanted: OfferQuantity[] = [];
  for (const [id, value] of Object.entries(qty)) {
    const member = onSale.find((one) => String(one.id) === id);
    const count = parseQuantity(value);
    if (!member) return invalid(`options.qty.${id}`, `must be a member of this product: ${offered}`);
    if (count === null)
      return invalid(`options.qty.${id}`, `must be an integer from 0 to ${MAX_LINE_QUANTITY}`);
    const choice = { options: {}, prices: member.prices, needs: stockNeed(member, 1) };
    if (count > 0) wanted.push({ offer: offerOf(member, choice, custom), quantity: count * quantity });
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
