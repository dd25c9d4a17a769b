import type { z } from 'zod';
import { ProductList } from '../../catalog/index.ts';
import { fold, words } from '../../kernel/text/fold.ts';
import { type Answer, clip, type PageRequest } from '../../web/index.ts';
import { MAX_CHOSEN, MAX_FOUND, type PickerProps } from './choices.tsx';
import { type FoundChoices, FoundPicker, loadFound, type Wanted } from './found-picker.tsx';

/** Longest SKU and name in a picker, in UTF-16 units. */
const MAX_SKU = 30;
const MAX_NAME = 45;

/** A variant with the name of its product. */
interface NamedVariant {
  readonly id: number;
  readonly sku: string;
  readonly name: string;
}

const variantsOf = (products: z.output<typeof ProductList>['data']): NamedVariant[] =>
  products.flatMap(({ name, variants = [] }) =>
    variants.map((variant) => ({ ...variant, name: `${name}, ${variant.name}` })),
  );

const asChoice = ({ id, sku, name }: NamedVariant) => ({
  id,
  label: clip(sku, MAX_SKU),
  detail: clip(name, MAX_NAME),
});

/** Returns the variants in whose SKU or name each word of `q` begins a word; those whose SKU begins with `q` first. */
function matching(variants: readonly NamedVariant[], q: string): NamedVariant[] {
  const wanted = words(q);
  const whole = fold(q);
  const rank = ({ sku }: NamedVariant) => {
    const own = fold(sku);
    if (own === whole) return 0;
    return own.startsWith(whole) ? 1 : 2;
  };
  const matches = ({ sku, name }: NamedVariant) => {
    const own = words(`${sku} ${name}`);
    return wanted.every((word) => own.some((one) => one.startsWith(word)));
  };
  return variants.filter(matches).sort((a, b) => rank(a) - rank(b));
}

/** Loads what a variant picker shows: also variants of inactive products. */
export function loadVariants(request: PageRequest, wanted: Wanted): Promise<Answer<FoundChoices>> {
  const list = (query: Record<string, string>) => {
    const asked = new URLSearchParams({ ...query, status: 'all', include: 'variants' });
    return request.api({ path: `/v1/products?${asked}`, answer: ProductList });
  };
  return loadFound({ request }, wanted, {
    async byIds(ids) {
      const products = await list({ variant_ids: ids.join(','), limit: String(MAX_CHOSEN) });
      if (!products.ok) return products;
      const named = variantsOf(products.value.data).filter(({ id }) => ids.includes(id));
      return { ok: true, value: { entries: named.map(asChoice), total: named.length } };
    },
    async search(q) {
      const products = await list({ q, limit: String(MAX_FOUND) });
      if (!products.ok) return products;
      const { data, meta } = products.value;
      const found = matching(variantsOf(data), q);
      const total = meta.total > data.length ? null : found.length;
      return { ok: true, value: { entries: found.slice(0, MAX_FOUND).map(asChoice), total } };
    },
  });
}

interface VariantPickerProps extends PickerProps {
  /** What {@link loadVariants} has loaded. */
  readonly variants: FoundChoices;
  /** The ids of the stored choice, shown until the form is submitted. */
  readonly stored: readonly number[];
}

/** A picker for variants of configurable products, found by SKU or name. */
export const VariantPicker = ({ variants, ...props }: VariantPickerProps) => (
  <FoundPicker {...props} choices={variants} kind="variant" by="SKU or name" />
);
