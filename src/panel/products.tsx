import { z } from 'zod';
import { Product, ProductList } from '../catalog/index.ts';
import type { Trouble } from './api.ts';
import { Choice, Field, type Filled, Form } from './form.tsx';
import { form, look, type Outcome, type Page, type Visit } from './page.ts';
import { money, Pages, State, Table, When } from './parts.tsx';
import { decimal, optional, wholeNumber } from './wire.ts';

type Item = z.output<typeof Product>;
type Variant = NonNullable<Item['variants']>[number];

const root = '/developer/products';
/** So many variants are shown at once. */
const SHOWN = 25;

const listPage = async (visit: Visit) => {
  const q = visit.query('q');
  const status = visit.query('status') || 'all';
  const search = new URLSearchParams({ status, ...(q ? { q } : {}) });
  const page = visit.query('page') || '1';
  const answer = await visit.api({
    path: `/v1/products?page=${encodeURIComponent(page)}&${search}`,
    answer: ProductList,
  });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const rows = data.map((product) => [
    <a href={`${root}/${product.id}`}>{product.name}</a>,
    product.sku,
    product.type,
    money(product.price, product.currency),
    product.stock,
    <State is={product.status} />,
  ]);
  const body = (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: hono/jsx has no <search> yet */}
      <form class="search" action={root} role="search">
        <input name="q" type="search" value={q} aria-label="Name, SKU or slug" maxlength={100} />
        <select name="status" aria-label="Status">
          {['all', 'active', 'inactive'].map((name) => (
            <option value={name} selected={name === status}>
              {name}
            </option>
          ))}
        </select>
        <button type="submit">Search</button>
      </form>
      <Table label="Products" head={['Name', 'SKU', 'Type', 'Price', 'Stock', 'Status']} rows={rows} />
      <Pages meta={meta} href={(to) => `${root}?${search}&page=${to}`} />
    </>
  );
  return { title: 'Products', body };
};

const STATUSES = [
  ['active', 'Active'],
  ['inactive', 'Inactive: not in the shop'],
] as const;

/** Which types have a price and a stock of their own. */
const ownPrice = ({ type }: Item): boolean => type !== 'configurable';
const ownStock = ({ type }: Item): boolean => ['simple', 'virtual', 'downloadable'].includes(type);

/** A number, and beside it what it was when the page was made: what nobody changed is not written. */
const Stock = ({ f, name, label, stock }: { f: Filled; name: string; label: string; stock: number }) => (
  <>
    <Field f={f} name={name} label={label} type="number" value={stock} required attributes={{ min: 0 }} />
    <input type="hidden" name={`${name}_was`} value={String(stock)} />
  </>
);

const amount = { inputmode: 'decimal', pattern: '\\d+([.,]\\d+)?' };

const Own = ({ f, product }: { f: Filled; product: Item }) => (
  <Form visit={f.visit} action={`${root}/${product.id}`} submit="Save">
    <Field f={f} name="name" label="Name" value={product.name} required attributes={{ maxlength: 255 }} />
    <Choice f={f} name="status" label="Status" options={STATUSES} value={product.status} />
    {ownPrice(product) && (
      <>
        <Field
          f={f}
          name="price"
          label={`Price (${product.currency})`}
          value={product.price}
          required
          attributes={amount}
        />
        <Field
          f={f}
          name="regular_price"
          label={`Regular price (${product.currency})`}
          value={product.regular_price ?? null}
          hint="Shown crossed out beside the price; empty for none"
          attributes={amount}
        />
      </>
    )}
    {ownStock(product) && <Stock f={f} name="stock" label="Stock that can be sold" stock={product.stock} />}
  </Form>
);

const nameOf = (variant: Variant): string => Object.values(variant.attributes).join(', ') || variant.sku;

const Variants = ({ f, product, from }: { f: Filled; product: Item; from: number }) => {
  const all = product.variants ?? [];
  const total_pages = Math.ceil(all.length / SHOWN);
  const here = `${root}/${product.id}`;
  return (
    <section aria-labelledby="variants">
      <h2 id="variants">Variants</h2>
      <Form visit={f.visit} action={`${here}/variants`} submit="Save variants">
        {all.slice((from - 1) * SHOWN, from * SHOWN).map((variant) => (
          <fieldset>
            <legend>{nameOf(variant)}</legend>
            <small class="hint">{variant.sku}</small>
            <div class="beside">
              <Field
                f={f}
                name={`price-${variant.id}`}
                label={`Price (${product.currency})`}
                value={variant.price}
                required
                attributes={amount}
              />
              <Stock f={f} name={`stock-${variant.id}`} label="Stock" stock={variant.stock} />
            </div>
          </fieldset>
        ))}
      </Form>
      <Pages
        meta={{ page: from, limit: SHOWN, total: all.length, total_pages }}
        href={(to) => `${here}?variants=${to}`}
      />
    </section>
  );
};

/** The API's path of the product that a visit is about. */
const one = (visit: Visit): string => `/v1/products/${encodeURIComponent(visit.param('id'))}`;

const load = (visit: Visit) => visit.api({ path: `${one(visit)}?status=all`, answer: Product });

const productPage = async (visit: Visit, wrong: Trouble | null) => {
  const answer = await load(visit);
  if (!answer.ok) return answer;
  const product = answer.value;
  const f = { visit, trouble: wrong };
  const from = Math.max(1, Math.trunc(Number(visit.query('variants'))) || 1);
  const body = (
    <>
      <dl class="facts">
        {Object.entries({
          SKU: product.sku,
          Slug: product.slug,
          Type: product.type,
          Categories: product.categories?.map(({ name }) => name).join(', ') || 'none',
        }).map(([title, value]) => (
          <div>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Changed</dt>
          <dd>
            <When at={product.updated_at} />
          </dd>
        </div>
      </dl>
      <Own f={f} product={product} />
      {product.variants && <Variants f={f} product={product} from={from} />}
      {product.description && (
        <section aria-labelledby="description">
          <h2 id="description">Description</h2>
          <p>{product.description.slice(0, 2_000)}</p>
        </section>
      )}
    </>
  );
  return { title: product.name, body };
};

const Change = z
  .object({
    name: z.string(),
    status: z.string(),
    price: decimal,
    regular_price: optional(decimal),
    stock: wholeNumber,
    stock_was: z.string(),
  })
  .partial();

async function change(visit: Visit, input: z.output<typeof Change>): Promise<Outcome> {
  const { stock, stock_was, ...rest } = input;
  const moved = stock !== undefined && String(stock) !== stock_was;
  const body = { ...rest, ...(moved ? { stock } : {}) };
  const changed = await visit.api({ method: 'PATCH', path: one(visit), body });
  return changed.ok ? { to: visit.c.req.path, note: 'saved' } : changed;
}

const VariantFields = z.record(z.string().regex(/^(price|stock)-\d{1,15}(_was)?$|^_/), z.string().max(64));

/** Arrays are replaced whole, so every variant is sent: as it is, but for what the form changed. */
async function changeVariants(visit: Visit, fields: z.output<typeof VariantFields>): Promise<Outcome> {
  const answer = await load(visit);
  if (!answer.ok) return answer;
  const errors: Record<string, string[]> = {};
  const read = <T,>(name: string, schema: z.ZodType<T>): T | undefined => {
    if (fields[name] === undefined) return undefined;
    const parsed = schema.safeParse(fields[name]);
    if (!parsed.success) errors[name] = ['must be a number'];
    return parsed.data;
  };
  const variants = (answer.value.variants ?? []).map(({ id, price, attributes }) => {
    const stock = read(`stock-${id}`, wholeNumber);
    const moved = stock !== undefined && String(stock) !== fields[`stock-${id}_was`];
    return { id, attributes, price: read(`price-${id}`, decimal) ?? price, ...(moved ? { stock } : {}) };
  });
  if (Object.keys(errors).length > 0) {
    return { trouble: { message: 'Some fields need another look.', errors, status: 422 } };
  }
  const changed = await visit.api({ method: 'PATCH', path: one(visit), body: { variants } });
  return changed.ok ? { to: `${root}/${answer.value.id}`, note: 'saved' } : changed;
}

const at = (path: string) => ({ path: `/developer/products${path}`, audience: 'developer' }) as const;

/** The catalogue: search, and changes of price, stock and status. */
export const productPages: readonly Page[] = [
  look(at(''), listPage),
  look(at('/:id'), productPage),
  form({ ...at('/:id'), form: Change }, productPage, change),
  form({ ...at('/:id/variants'), form: VariantFields }, productPage, changeVariants),
];
