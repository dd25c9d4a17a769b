import type { z } from 'zod';
import { ProductList, type ProductListItem, type ProductType } from '../../catalog/index.ts';
import { type Answer, clip, type PageRequest } from '../../web/index.ts';
import {
  ChoiceList,
  type Choosable,
  MAX_CHOSEN,
  MAX_FOUND,
  type PickerProps,
  searchOf,
  sentIds,
} from './choices.tsx';

/** What a product picker shows: names of chosen products, and what its search found. */
export interface ProductChoices {
  readonly known: readonly Choosable[];
  /** Null without a search. */
  readonly found: readonly Choosable[] | null;
  /** Products that match the search, the listed ones included. */
  readonly total: number;
}

/** Longest name and SKU in a picker, in UTF-16 units. */
const MAX_NAME = 45;
const MAX_SKU = 20;

/** Returns a product as a picker lists it. */
export const asChoice = ({
  id,
  name,
  sku,
}: Pick<z.output<typeof ProductListItem>, 'id' | 'name' | 'sku'>) => ({
  ...{ id, label: clip(name, MAX_NAME), detail: clip(sku, MAX_SKU) },
});

interface Wanted {
  /** The picker's name. */
  readonly name: string;
  /** Ids of the stored choice whose names the page doesn't have. */
  readonly stored?: readonly number[];
  /** The only types that can be chosen. */
  readonly types?: readonly ProductType[];
}

/**
 * Loads what a product picker shows: the names of at most {@link MAX_CHOSEN} chosen products, and what was
 * searched for. Calls the API only for what there is to read: nothing for a picker without a choice.
 */
export async function loadProducts(request: PageRequest, wanted: Wanted): Promise<Answer<ProductChoices>> {
  const { name, stored = [], types = [] } = wanted;
  const ids = (sentIds({ request }, name) ?? stored).slice(0, MAX_CHOSEN);
  const q = searchOf({ request }, name);
  const search = new URLSearchParams({
    ...{ q, status: 'all', limit: String(MAX_FOUND) },
    ...(types.length > 0 && { type: types.join(',') }),
  });
  const list = (query: string) => request.api({ path: `/v1/products?${query}`, answer: ProductList });
  const [known, found] = await Promise.all([
    ids.length > 0 ? list(`ids=${ids.join(',')}&status=all&limit=${MAX_CHOSEN}`) : null,
    q === '' ? null : list(String(search)),
  ]);
  if (known?.ok === false) return known;
  if (found?.ok === false) return found;
  return {
    ok: true,
    value: {
      known: known?.value.data.map(asChoice) ?? [],
      found: found?.value.data.map(asChoice) ?? null,
      total: found?.value.meta.total ?? 0,
    },
  };
}

interface ProductPickerProps extends PickerProps {
  /** What {@link loadProducts} has loaded. */
  readonly products: ProductChoices;
  /** The stored choice, shown until the form is submitted. A product without a known name is shown by its id. */
  readonly stored: readonly (Choosable | number)[];
}

/** A picker for one or several products, found by name, SKU or slug. Read the choice with `pickedIds` or `pickedId`. */
export const ProductPicker = ({ products, stored, ...props }: ProductPickerProps) => {
  const { f, name } = props;
  const named = stored.flatMap((entry) => (typeof entry === 'number' ? [] : [entry]));
  const known = new Map([...named, ...products.known].map((entry) => [entry.id, entry]));
  const ids = sentIds(f, name) ?? stored.map((entry) => (typeof entry === 'number' ? entry : entry.id));
  const q = searchOf(f, name);
  return (
    <ChoiceList
      {...props}
      chosen={ids.slice(0, MAX_CHOSEN).map((id) => known.get(id) ?? { id, label: `Product ${id}` })}
      rest={ids.slice(MAX_CHOSEN)}
      offered={products.found ?? []}
      note={q === '' ? undefined : noteOf(q, products)}
      search="Search products by name or SKU"
    />
  );
};

function noteOf(q: string, { found, total }: ProductChoices): string | undefined {
  if (total === 0) return `No product matches “${clip(q, 40)}”.`;
  const more = total - (found?.length ?? 0);
  return more > 0 ? `${more} more match. Type more to find them.` : undefined;
}
