import { z } from 'zod';
import {
  Area,
  Field,
  type Filled,
  lines,
  normalText,
  type Page,
  Rows,
  rowsOf,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { CategoryPicker, loadCategories } from '../../../pickers/category-picker.tsx';
import { pickedIds } from '../../../pickers/choices.tsx';
import type { ProductPart } from '../editor/save-section.ts';
import { sectionPages, TEXT_LIMITS } from '../editor/section.tsx';
import type { Item } from '../product.tsx';

/** A name and one of its values. A name with several values has several rows. */
interface Pair {
  readonly name: string;
  readonly value: string;
}

const required = z.string().trim().min(1, 'is required');

const attributeRows = rowsOf(z.object({ name: required, value: required }));
const metadataRows = rowsOf(z.object({ name: required, value: z.string().trim() }));

/** Returns the attributes of rows: a name that is repeated has a list of values. */
function attributesOf(pairs: readonly Pair[]): Record<string, string | string[]> {
  const byName = Map.groupBy(pairs, ({ name }) => name);
  return Object.fromEntries(
    [...byName].map(([name, rows]) => {
      const values = rows.map(({ value }) => value);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

const metadataOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));

const pairsOf = (map: Readonly<Record<string, string | readonly string[]>> = {}): Pair[] =>
  Object.entries(map).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value: String(value) })),
  );

/** Returns single values as a list of one is sent: the API stores both. */
const plainAttributes = ({ attributes }: Item) => attributesOf(pairsOf(attributes));

/** Returns a text as a field of one line sends it back: without line breaks, and without spaces around it. */
const inOneLine = (text: string): string => text.replaceAll(/[\r\n]/g, '').trim();

/** Returns metadata as the form sends them back. */
const shownMetadata = ({ metadata = {} }: Item): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map(([key, value]) => [inOneLine(key), inOneLine(value)]));

/** Returns metadata as a patch: keys that are gone are removed, and those that were not changed stay as they are. */
function metadataPatch({ metadata = {} }: Item, wanted: Readonly<Record<string, string>>) {
  const left = new Map(Object.entries(wanted));
  const stored = Object.entries(metadata).map(([key, value]) => {
    const [shownKey, shownValue] = [inOneLine(key), inOneLine(value)];
    const isKept = left.get(shownKey) === shownValue;
    if (isKept) left.delete(shownKey);
    return [key, isKept ? value : null] as const;
  });
  return { ...Object.fromEntries(stored), ...Object.fromEntries(left) };
}

/** Returns category ids in the product's order, new ones last: the first one counts most. */
const inStoredOrder = ({ categories = [] }: Item, ids: readonly number[]): number[] => [
  ...categories.map(({ id }) => id).filter((id) => ids.includes(id)),
  ...ids.filter((id) => !categories.some((category) => category.id === id)),
];

const PARTS: readonly ProductPart[] = [
  {
    key: 'category_ids',
    label: 'Categories',
    of: ({ categories = [] }) => categories.map(({ id }) => id).sort((a, b) => a - b),
  },
  { key: 'tags', label: 'Tags', of: ({ tags }) => tags.map((tag) => tag.trim()) },
  { key: 'attributes', label: 'Attributes', of: plainAttributes },
  { key: 'metadata', label: 'Metadata', of: shownMetadata },
];

/** The fields of a list of names and values. */
const PairRows = (props: {
  readonly f: Filled;
  readonly name: string;
  readonly legend: string;
  readonly one: string;
  readonly hint: string;
  readonly rows: readonly Pair[];
}) => (
  <Rows {...props}>
    {({ f, at, row }) => (
      <>
        <Field f={f} name={at('name')} label="Name" value={row?.name} />
        <Field f={f} name={at('value')} label="Value" value={row?.value} />
      </>
    )}
  </Rows>
);

/** Categories, tags, attributes and metadata of a product. */
export const organisationPages: readonly Page[] = sectionPages({
  path: '/organisation',
  limits: TEXT_LIMITS,
  form: z
    .object({
      category_ids: pickedIds.transform((ids) => [...ids].sort((a, b) => a - b)),
      tags: lines,
      attributes: attributeRows.transform(attributesOf),
      metadata: metadataRows.transform(metadataOf),
    })
    .transform((values): Values => values),
  load: loadCategories,
  parts: () => PARTS,
  // The schema above made the ids of the picker, and the metadata of rows of texts.
  patch: (product, changed) => ({
    ...changed,
    ...('category_ids' in changed && {
      category_ids: inStoredOrder(product, changed.category_ids as number[]),
    }),
    ...('metadata' in changed && {
      metadata: metadataPatch(product, changed.metadata as Record<string, string>),
    }),
  }),
  fields: ({ f, product, extra }) => (
    <>
      <CategoryPicker
        f={f}
        name="category_ids"
        legend="Categories"
        categories={extra}
        stored={product.categories?.map(({ id }) => id) ?? []}
      />
      <Area f={f} name="tags" label="Tags" hint="One per line" value={normalText(product.tags.join('\n'))} />
      <PairRows
        f={f}
        name="attributes"
        legend="Attributes"
        one="value"
        hint="Shoppers filter by them. Add a row for each value of a name"
        rows={pairsOf(product.attributes)}
      />
      <PairRows
        f={f}
        name="metadata"
        legend="Metadata"
        one="key"
        hint="Texts of your own systems. Shoppers never see them"
        rows={pairsOf(product.metadata)}
      />
    </>
  ),
});
