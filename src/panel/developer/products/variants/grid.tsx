import { z } from 'zod';
import { sha256 } from '../../../../kernel/crypto/crypto.ts';
import {
  Cell,
  clip,
  type Filled,
  Form,
  type FormError,
  formPages,
  type Outcome,
  optional,
  type Page,
  type PageRequest,
  price,
  Table,
  wholeNumber,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { EditedParts } from '../../../editing/save-edit.tsx';
import { Thumbnail } from '../../../pictures.tsx';
import { type ProductPart, saveSection } from '../editor/save-section.ts';
import { leaveForeignTab, productView } from '../editor/section.tsx';
import { type Slice, SliceFields, SlicePages, sliced, sliceFor } from '../editor/slices.tsx';
import { type Item, loadProduct, ordinaryPrice, pricesAsRead, root, type Variant } from '../product.tsx';
import { priceCells } from './price-cells.tsx';
import { askAboutTicked } from './removal.tsx';
import { nameOf } from './variant-name.ts';

/** Variants on one page of the grid, by whether their names and SKUs are short or long. */
const ROWS = { short: 8, long: 4 } as const;
/** Longest name or SKU of a short row, in UTF-16 units. */
const MAX_SHORT = 24;
/** Pictures that a variant can be given in the grid. */
const MAX_PICTURES = 6;

const variantsOf = ({ variants = [] }: Item): readonly Variant[] => variants;

/** Returns a short name of a picture, for the options of a select; "" for none. */
export const pictureKey = (url: string | null): string => (url === null ? '' : sha256(url).slice(0, 8));

/** The columns of the grid: how a cell is read, and its value of a variant. */
const COLUMNS: Readonly<Record<string, { label: string; read: z.ZodType; of(variant: Variant): unknown }>> = {
  price: { label: 'Price', read: price, of: ordinaryPrice },
  regular_price: {
    label: 'Regular price',
    read: optional(price),
    of: ({ regular_price }) => regular_price,
  },
  sku: { label: 'SKU', read: z.string().trim(), of: ({ sku }) => sku },
  stock: { label: 'Stock', read: wholeNumber, of: ({ stock }) => stock },
  image: { label: 'Picture', read: z.string(), of: ({ image }) => pictureKey(image) },
  drop: { label: 'Remove', read: z.string().transform(() => true), of: () => false },
};

const CELL = /^(price|regular_price|sku|stock|image|drop)-(\d{1,15})$/;

/** The grid's cells: `price-17` is the price of variant 17. */
const GridFields = z.record(z.string(), z.string()).transform((fields, context): Values => {
  const values: Record<string, unknown> = {};
  for (const [field, text] of Object.entries(fields)) {
    const [, column = ''] = CELL.exec(field) ?? [];
    const read = COLUMNS[column]?.read.safeParse(text);
    if (read?.success) values[field] = read.data;
    else if (read)
      context.addIssue({ code: 'custom', path: [field], message: read.error.issues[0]?.message ?? '' });
  }
  return values;
});

/** Returns the cells of the variants that the form has, or will have. */
function cellsOf(request: PageRequest, product: Item, slice: Slice): ProductPart[] {
  const sent = Object.keys(request.sent).flatMap((field) => Number(CELL.exec(field)?.[2]) || []);
  const shown = sliced(variantsOf(product), slice).map(({ id }) => id);
  return [...new Set(sent.length > 0 ? sent : shown)].flatMap((id) =>
    Object.entries(COLUMNS).map(
      ([column, { label, of }]): ProductPart => ({
        key: `${column}-${id}`,
        label: `${label} of ${variantName(product, id)}`,
        of: (current) => {
          const variant = variantsOf(current).find((one) => one.id === id);
          return variant ? of(variant) : null;
        },
      }),
    ),
  );
}

const variantName = (product: Item, id: number): string => {
  const variant = variantsOf(product).find((one) => one.id === id);
  return variant ? nameOf(variant) : 'a removed variant';
};

/** Returns how many variants a page shows, so that it stays within the size of a page. */
function rowsOf(product: Item): number {
  const isLong = variantsOf(product).some(({ name, sku }) => Math.max(name.length, sku.length) > MAX_SHORT);
  return isLong ? ROWS.long : ROWS.short;
}

/** Longest text of a picture in the select, in UTF-16 units. */
const MAX_TEXT = 16;

/** The select for a variant's picture, among the product's first ones: each by its text, or its place without one. */
const PictureChoice = ({ f, product, variant }: { f: Filled; product: Item; variant: Variant }) => {
  const { image, id } = variant;
  const urls = [...new Set([...product.images.slice(0, MAX_PICTURES), ...(image ? [image] : [])])];
  const alts = new Map(product.media.map(({ url, alt }) => [url, alt]));
  const chosen = f.request.sent[`image-${id}`]?.[0] ?? pictureKey(image);
  return (
    <select name={`image-${id}`} aria-label={`Picture of ${nameOf(variant)}`}>
      <option value="">The product's</option>
      {urls.map((url, n) => (
        <option value={pictureKey(url)} selected={pictureKey(url) === chosen}>
          {clip(alts.get(url) ?? `Picture ${n + 1}`, MAX_TEXT)}
        </option>
      ))}
    </select>
  );
};

const rowOf = (f: Filled, product: Item, variant: Variant) => {
  const { id } = variant;
  const name = nameOf(variant);
  return [
    <>
      <a href={`${root}/${product.id}/variants/${id}`}>{name}</a>
      <Cell f={f} name={`sku-${id}`} label={`SKU of ${name}`} value={variant.sku} required />
    </>,
    ...priceCells(f, variant, product.currency),
    <Cell
      f={f}
      name={`stock-${id}`}
      label={`Stock of ${name}`}
      type="number"
      value={variant.stock}
      required
      attributes={{ min: 0 }}
    />,
    <span class="together">
      {variant.image && <Thumbnail url={variant.image} />}
      <PictureChoice f={f} product={product} variant={variant} />
    </span>,
    <input
      type="checkbox"
      name={`drop-${id}`}
      value="1"
      aria-label={`Remove ${name}`}
      checked={f.request.sent[`drop-${id}`] !== undefined}
    />,
  ];
};

/** The grid of a product's variants, and the form of its options. */
async function variantsPage(request: PageRequest, formError: FormError | null) {
  const answer = await loadProduct(request);
  if (!answer.ok) return answer;
  const product = answer.value;
  const elsewhere = formError ? null : leaveForeignTab(product, '/variants');
  if (elsewhere) return elsewhere;
  const f = { request, formError };
  const rows = rowsOf(product);
  const slice = sliceFor(request, rows);
  const here = `${root}/${product.id}/variants`;
  const body = (
    <>
      <Form request={request} action={here} submit="Save variants" unsaved bare>
        <EditedParts f={f} parts={cellsOf(request, product, slice)} stored={product} />
        <SliceFields slice={slice} />
        <Table
          label="Variants"
          wide
          head={[
            'Variant, SKU',
            `Price (${product.currency})`,
            'Regular price',
            'Stock',
            'Picture',
            'Remove',
          ]}
          rows={sliced(variantsOf(product), slice).map((variant) => rowOf(f, product, variant))}
        />
      </Form>
      <SlicePages total={variantsOf(product).length} slice={slice} here={here} rowsOnPage={rows} />
      <p class="actions">
        <a class="button secondary" href={`${root}/${product.id}/options`}>
          Change the options
        </a>
      </p>
    </>
  );
  return productView(product, '/variants', body);
}

/**
 * Saves the changed cells, and asks before variants are removed. The API replaces the whole list, so unchanged ones are
 * sent as well.
 */
async function saveGrid(request: PageRequest, values: Values): Promise<Outcome> {
  const question = await askAboutTicked(request, values);
  if (question) return question;
  let ids: number[] = [];
  let skus: string[] = [];
  return saveSection(request, {
    parts: (product) => cellsOf(request, product, sliceFor(request, rowsOf(product))),
    values,
    patch: (product, changed) => {
      const kept = variantsOf(product).filter(({ id }) => changed[`drop-${id}`] !== true);
      ids = kept.map(({ id }) => id);
      skus = Object.keys(changed).filter((field) => field.startsWith('sku-'));
      return { variants: kept.map((variant) => variantPatch(product, variant, changed)) };
    },
    fieldOf: (path) => {
      // The API doesn't say which SKU is taken.
      if (path === 'sku' && skus.length === 1) return skus[0] ?? path;
      const [, at, part] =
        /^variants\.(\d+)\.(?:sale\.)?(price|regular_price|stock|sku|image)$/.exec(path) ?? [];
      return at && part ? `${part}-${ids[Number(at)]}` : path;
    },
  });
}

function variantPatch(product: Item, variant: Variant, changed: Values) {
  const { id, attributes, image } = variant;
  const cell = (column: string) => changed[`${column}-${id}`];
  const [price, regular, picture] = [cell('price'), cell('regular_price'), cell('image')];
  const isPriced = price !== undefined || regular !== undefined;
  const url = [...product.images, ...(image ? [image] : [])].find((one) => pictureKey(one) === picture);
  return {
    id,
    attributes,
    ...(isPriced ? { price: price ?? ordinaryPrice(variant) } : pricesAsRead(variant)),
    ...(regular !== undefined && { regular_price: regular }),
    ...(cell('sku') !== undefined && { sku: cell('sku') }),
    ...(cell('stock') !== undefined && { stock: cell('stock') }),
    ...(picture !== undefined && { image: url ?? null }),
  };
}

/** The grid of variants. */
export const variantPages: readonly Page[] = formPages(
  { path: `${root}/:id/variants`, audience: 'developer', form: GridFields },
  variantsPage,
  saveGrid,
);
