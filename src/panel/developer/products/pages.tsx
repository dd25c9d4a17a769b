import { z } from 'zod';
import type { Product } from '../../../catalog/index.ts';
import {
  Choice,
  clip,
  decimal,
  Facts,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  optional,
  type Page,
  type PageRequest,
  When,
  wholeNumber,
} from '../../../web/index.ts';
import { listPage } from './product-list.tsx';
import {
  amount,
  changeVariants,
  isOnSaleNow,
  loadProduct,
  ordinaryPrice,
  productPath,
  StockAsShown,
  VariantFields,
  Variants,
} from './variants.tsx';

type Item = z.output<typeof Product>;

const root = '/developer/products';

const STATUSES = [
  ['active', 'Active'],
  ['inactive', 'Inactive: hidden from the shop'],
] as const;

/** Returns whether products of this type have a price, or a stock, of their own. */
const hasOwnPrice = ({ type }: Item): boolean => type !== 'configurable';
const hasOwnStock = ({ type }: Item): boolean => ['simple', 'virtual', 'downloadable'].includes(type);

/** The ordinary price, and the regular one unless a sale runs. */
const PriceFields = ({ f, product }: { f: Filled; product: Item }) => (
  <>
    <Field
      f={f}
      name="price"
      label={`Price (${product.currency})`}
      value={ordinaryPrice(product)}
      {...(isOnSaleNow(product) && {
        hint: `On sale at ${product.price}. This is the price without the sale`,
      })}
      required
      attributes={amount}
    />
    {!isOnSaleNow(product) && (
      <Field
        f={f}
        name="regular_price"
        label={`Regular price (${product.currency})`}
        value={product.regular_price ?? null}
        hint="Shown struck through beside the price. Leave empty for none"
        attributes={amount}
      />
    )}
  </>
);

const ProductForm = ({ f, product }: { f: Filled; product: Item }) => (
  <Form request={f.request} action={`${root}/${product.id}`} submit="Save">
    <Field f={f} name="name" label="Name" value={product.name} required attributes={{ maxlength: 255 }} />
    <Choice f={f} name="status" label="Status" options={STATUSES} value={product.status} />
    {hasOwnPrice(product) && <PriceFields f={f} product={product} />}
    {hasOwnStock(product) && (
      <>
        <Field
          f={f}
          name="stock"
          label="Stock that can be sold"
          type="number"
          value={product.stock}
          required
          attributes={{ min: 0 }}
        />
        <StockAsShown name="stock" stock={product.stock} />
      </>
    )}
  </Form>
);

/** The product's read-only facts. */
const About = ({ product }: { product: Item }) => (
  <aside aria-label="About the product">
    {product.images?.[0] && (
      <img
        class="portrait"
        src={product.images[0]}
        alt=""
        width={320}
        height={320}
        loading="lazy"
        decoding="async"
      />
    )}
    <Facts
      of={{
        SKU: product.sku,
        Slug: clip(product.slug),
        Type: product.type,
        Categories: clip(product.categories?.map(({ name }) => name).join(', ') || 'none', 200),
        ...(hasOwnStock(product) ? {} : { Stock: product.stock }),
        Updated: <When at={product.updated_at} />,
      }}
    />
    {product.description && (
      <details>
        <summary>Description</summary>
        <p>{clip(product.description, 600)}</p>
      </details>
    )}
  </aside>
);

const productPage = async (request: PageRequest, formError: FormError | null) => {
  const answer = await loadProduct(request);
  if (!answer.ok) return answer;
  const product = answer.value;
  const f = { request, trouble: formError };
  const body = (
    <>
      <div class="beside">
        <ProductForm f={f} product={product} />
        <About product={product} />
      </div>
      {product.type === 'configurable' && <Variants f={f} product={product} here={`${root}/${product.id}`} />}
    </>
  );
  return { title: clip(product.name, 120), trail: [[root, 'Products']] as const, body };
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

async function change(request: PageRequest, input: z.output<typeof Change>): Promise<Outcome> {
  const { stock, stock_was, ...rest } = input;
  const moved = stock !== undefined && String(stock) !== stock_was;
  const body = { ...rest, ...(moved ? { stock } : {}) };
  const changed = await request.api({ method: 'PATCH', path: productPath(request), body });
  return changed.ok ? { to: request.c.req.path, note: 'saved' } : changed;
}

const at = (path: string) => ({ path: `/developer/products${path}`, audience: 'developer' }) as const;

/** The pages that search the catalogue and change price, stock and status. */
export const productPages: readonly Page[] = [
  getPage(at(''), listPage),
  getPage(at('/:id'), productPage),
  form({ ...at('/:id'), form: Change }, productPage, change),
  form({ ...at('/:id/variants'), form: VariantFields }, productPage, changeVariants),
];
