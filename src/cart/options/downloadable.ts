import type { SellableView } from '../../catalog/index.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import { type ResolvedOptions, stockNeed, sumOfPrices } from './offer.ts';
import { type Options, option } from './options.ts';

/** Resolves `{"links": [2]}` to files, required if the product has any. Adds their prices to its own. */
export function resolveLinks({ product, details }: SellableView, options: Options): Result<ResolvedOptions> {
  const offered = details.links ?? [];
  const wanted = option(options, 'links');
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
  return ok({
    options: { links: links.map(({ id }) => id).sort((a, b) => a - b) },
    prices: sumOfPrices([
      { prices: product.prices, times: 1 },
      ...links.map(({ prices }) => ({ prices, times: 1 })),
    ]),
    needs,
    links: links.map(({ id, title, url }) => ({ id, title, url })),
  });
}
