import { shownFault } from '../../kernel/text/text.ts';
import type { ProductState } from '../products/product-state.ts';
import type { Patch } from './patch.ts';

/**
 * Adds an error for each SKU, option name and option value that is not to be stored, unless the product has it already:
 * earlier releases stored more, and a body has all variants, also those that it doesn't change.
 */
export function checkTexts({ before, input, errors }: Patch): void {
  const stored = new Set(before ? textsOf(before) : []);
  const check = (field: string, text: string | undefined) => {
    const fault = text === undefined || stored.has(text) ? null : shownFault(text);
    if (fault) errors.add(field, fault);
  };
  check('sku', input.sku);
  input.variants?.forEach(({ sku, attributes }, n) => {
    check(`variants.${n}.sku`, sku);
    for (const [name, value] of Object.entries(attributes))
      for (const text of [name, value]) check(`variants.${n}.attributes.${name}`, text);
  });
}

const textsOf = ({ sku, variants }: ProductState): string[] => [
  sku,
  ...variants.flatMap((variant) => [variant.sku, ...Object.entries(variant.attributes).flat()]),
];
