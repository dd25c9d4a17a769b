import type { z } from 'zod';
import { ProductList, type ProductListItem, type ProductType } from '../../catalog/index.ts';
import { type Answer, clip, type PageRequest } from '../../web/index.ts';
import { type Choosable, MAX_CHOSEN, MAX_FOUND, type PickerProps } from './choices.tsx';
import { type FoundChoices, FoundPicker, loadFound, type Wanted } from './found-picker.tsx';

/** Longest name and SKU in a picker, in UTF-16 units. */
const MAX_NAME = 45;
const MAX_SKU = 20;

/** Returns a product as a picker lists it. */
export const productChoice = ({
  id,
  name,
  sku,
}: Pick<z.output<typeof ProductListItem>, 'id' | 'name' | 'sku'>) => ({
  id,
  label: clip(name, MAX_NAME),
  detail: clip(sku, MAX_SKU),
});

interface WantedProducts extends Wanted {
  /** The only types that can be chosen. */
  readonly types?: readonly ProductType[];
}

/** Loads what a product picker shows: inactive products too, of all types or the given ones. */
export function loadProducts(request: PageRequest, wanted: WantedProducts): Promise<Answer<FoundChoices>> {
  const { types = [] } = wanted;
  const list = async (query: Record<string, string>) => {
    const asked = new URLSearchParams({ ...query, status: 'all' });
    const answer = await request.api({ path: `/v1/products?${asked}`, answer: ProductList });
    if (!answer.ok) return answer;
    const { data, meta } = answer.value;
    return { ok: true as const, value: { entries: data.map(productChoice), total: meta.total } };
  };
  return loadFound({ request }, wanted, {
    byIds: (ids) => list({ ids: ids.join(','), limit: String(MAX_CHOSEN) }),
    search: (q) => list({ q, limit: String(MAX_FOUND), ...(types.length > 0 && { type: types.join(',') }) }),
  });
}

interface ProductPickerProps extends PickerProps {
  /** What {@link loadProducts} has loaded. */
  readonly products: FoundChoices;
  /** The stored choice, shown until the form is submitted. */
  readonly stored: readonly (Choosable | number)[];
}

/** A picker for one or several products, found by name, SKU or slug. */
export const ProductPicker = ({ products, ...props }: ProductPickerProps) => (
  <FoundPicker {...props} choices={products} kind="product" by="name or SKU" />
);
