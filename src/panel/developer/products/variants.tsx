import { z } from 'zod';
import { Product } from '../../../catalog/index.ts';
import {
  Cell,
  clip,
  decimal,
  type Filled,
  Form,
  type Outcome,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  Table,
  wholeNumber,
} from '../../../web/index.ts';

type Item = z.output<typeof Product>;
type Variant = NonNullable<Item['variants']>[number];

/** Variants on one page of the table. */
const PAGE_SIZE = 12;

/** The HTML attributes of a field for an amount. */
export const amount = { inputmode: 'decimal', pattern: '\\d+([.,]\\d+)?' };

/** The stock when the page was rendered, as a hidden field: an unchanged stock is not written back. */
export const StockAsShown = ({ name, stock }: { name: string; stock: number }) => (
  <input type="hidden" name={`${name}_was`} value={String(stock)} />
);

/** Returns the price without a running sale: what the API takes as `price`. */
export const ordinaryPrice = ({
  price,
  regular_price,
  sale,
}: Pick<Item, 'price' | 'regular_price' | 'sale'>): number =>
  isOnSaleNow({ price, sale }) ? (regular_price ?? price) : price;

/** Returns whether the price shown is that of a sale: a sale is always below the ordinary price. */
export const isOnSaleNow = ({ price, sale }: Pick<Item, 'price' | 'sale'>): boolean => sale?.price === price;

/** Returns the API's path of the request's product. */
export const productPath = (request: PageRequest): string =>
  `/v1/products/${encodeURIComponent(request.param('id'))}`;

/** Loads the request's product. */
export const loadProduct = (request: PageRequest) =>
  request.api({ path: `${productPath(request)}?status=all`, answer: Product });

const nameOf = (variant: Variant): string =>
  clip(Object.values(variant.attributes).join(', ') || variant.sku, 40);

/** Price and stock of each variant, in a table of fields. */
export const Variants = ({ f, product, here }: { f: Filled; product: Item; here: string }) => {
  const from = pageAsked(f.request, 'variants');
  const { shown, meta } = pageOf(product.variants ?? [], from, PAGE_SIZE);
  return (
    <section aria-labelledby="variants">
      <h2 id="variants">Variants</h2>
      <Form request={f.request} action={`${here}/variants`} submit="Save variants" bare>
        <Table
          label="List of variants"
          head={['Variant', 'SKU', `Price (${product.currency})`, 'Stock']}
          rows={shown.map((variant) => [
            nameOf(variant),
            clip(variant.sku, 40),
            <Cell
              f={f}
              name={`price-${variant.id}`}
              label={`Price of ${nameOf(variant)}`}
              value={ordinaryPrice(variant)}
              required
              attributes={amount}
            />,
            <>
              <Cell
                f={f}
                name={`stock-${variant.id}`}
                label={`Stock of ${nameOf(variant)}`}
                type="number"
                value={variant.stock}
                required
                attributes={{ min: 0 }}
              />
              <StockAsShown name={`stock-${variant.id}`} stock={variant.stock} />
            </>,
          ])}
        />
      </Form>
      <Pages meta={meta} href={(to) => `${here}?variants=${to}`} />
    </section>
  );
};

export const VariantFields = z.record(
  z.string().regex(/^(price|stock)-\d{1,15}(_was)?$|^_/),
  z.string().max(64),
);

/** Saves the changed variants. The API replaces the whole array, so unchanged variants are sent as well. */
export async function changeVariants(
  request: PageRequest,
  fields: z.output<typeof VariantFields>,
): Promise<Outcome> {
  const answer = await loadProduct(request);
  if (!answer.ok) return answer;
  const errors: Record<string, string[]> = {};
  const read = <T,>(name: string, schema: z.ZodType<T>): T | undefined => {
    if (fields[name] === undefined) return undefined;
    const parsed = schema.safeParse(fields[name]);
    if (!parsed.success) errors[name] = ['must be a number'];
    return parsed.data;
  };
  const variants = (answer.value.variants ?? []).map((variant) => {
    const { id, attributes } = variant;
    const stock = read(`stock-${id}`, wholeNumber);
    const moved = stock !== undefined && String(stock) !== fields[`stock-${id}_was`];
    return {
      id,
      attributes,
      price: read(`price-${id}`, decimal) ?? ordinaryPrice(variant),
      ...(moved ? { stock } : {}),
    };
  });
  if (Object.keys(errors).length > 0) {
    return { trouble: { message: 'Correct the marked fields.', errors, status: 422 } };
  }
  const changed = await request.api({ method: 'PATCH', path: productPath(request), body: { variants } });
  if (changed.ok) return { to: `/developer/products/${answer.value.id}`, note: 'saved' };
  return { trouble: { ...changed.trouble, errors: byField(changed.trouble.errors, variants) } };
}

/** Maps the API's error paths (index of the variant) to field names (its id): `variants.2.price` → `price-17`. */
const byField = (errors: Readonly<Record<string, string[]>>, variants: readonly { id: number }[]) =>
  Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => {
      const [, at, part] = /^variants\.(\d+)\.(?:sale\.)?(price|stock)$/.exec(path) ?? [];
      return [at && part ? `${part}-${variants[Number(at)]?.id}` : path, messages];
    }),
  );
