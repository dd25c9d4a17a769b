import type { z } from 'zod';
import { formatMoney } from '../../../client/src/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { htmlToText } from '../../kernel/text/html-text.ts';
import {
  type Answer,
  clip,
  describedBy,
  errorsOf,
  FieldErrors,
  type FormError,
  form,
  getPage,
  HiddenFields,
  labelled,
  type Outcome,
  type Page,
  type PageRequest,
  type View,
} from '../../web/index.ts';
import { attempt } from '../frame/attempt.ts';
import { shopOf } from '../frame/session.ts';
import { titled } from '../frame/titled.ts';
import { Amounts, Badge, Cards } from '../shelf/card.tsx';
import { addToCart, Chosen } from './add-to-cart.ts';
import { chooseVariant, FIELDS, type Filled, filledOf, type Part, type Product } from './choice.ts';
import { Gallery } from './gallery.tsx';
import { type Offer, offerOf } from './offer.ts';
import { Pickers } from './pickers.tsx';
import { productData } from './structured-data.ts';

const MAX_RELATED = 4;
const MAX_DESCRIPTION_LENGTH = 3_000;

const NOT_FOUND: FormError = { message: 'This product was removed.', errors: {}, status: 404 };

/** Returns the page's product. An address whose id is no number is that of no product. */
const readProduct = async (request: PageRequest): Promise<Answer<Product>> =>
  /^[1-9]\d{0,14}$/.test(request.param('id'))
    ? attempt(shopOf(request).products.get({ id: Number(request.param('id')) }))
    : { ok: false, formError: NOT_FOUND };

/** Returns the products of a bundle or a group by id; at most 100 are loaded. */
async function readParts(request: PageRequest, product: Product): Promise<ReadonlyMap<number, Part>> {
  const { grouped = [], bundle_groups: bundle = [] } = product;
  const ids = new Set([...grouped, ...bundle.flatMap(({ items }) => items)].map((one) => one.product_id));
  if (ids.size === 0) return new Map();
  const list = { ids: [...ids].slice(0, 100).join(','), limit: 100 };
  const found = await attempt(shopOf(request).products.list(list));
  return new Map(found.ok ? found.value.data.map((part) => [part.id, part]) : []);
}

const OfferPrice = ({ offer: { price, before, lowest }, currency }: { offer: Offer; currency: string }) => (
  <>
    <p class="price">
      <Amounts price={price} before={before} currency={currency} />
    </p>
    {lowest !== null && (
      <p class="soft">Lowest price of the last 30 days: {formatMoney(lowest, currency, 'en')}</p>
    )}
  </>
);

const Quantity = ({ request, formError, filled }: BuyProps) => {
  const field = { f: { request, formError }, name: FIELDS.quantity, label: 'Quantity' };
  const id = labelled(field);
  return (
    <p class="field">
      <label for={id}>{field.label}</label>
      <input
        id={id}
        name={FIELDS.quantity}
        type="number"
        min={1}
        max={MAX_LINE_QUANTITY}
        value={filled[FIELDS.quantity]?.[0] ?? '1'}
        aria-invalid={errorsOf(field).length > 0 ? 'true' : undefined}
        aria-describedby={describedBy(field)}
        required
      />
      <FieldErrors {...field} />
    </p>
  );
};

interface BuyProps {
  readonly request: PageRequest;
  readonly formError: FormError | null;
  readonly product: Product;
  readonly parts: ReadonlyMap<number, Part>;
  readonly filled: Filled;
  readonly offer: Offer;
}

/** The form that puts the product into the cart. Its script loads the parts anew with each choice. */
const Buy = (props: BuyProps) => {
  const { request, product, offer } = props;
  if (!product.in_stock) return <p class="empty">Sold out at the moment.</p>;
  return (
    <form method="post" action={`/demo/products/${product.id}`} class="buy" data-choices>
      <HiddenFields request={request} />
      <div data-part="choices">
        <Pickers {...props} />
      </div>
      <noscript>
        <button type="submit" name="_find" value="price" class="quiet" formnovalidate>
          Show price and stock of this choice
        </button>
      </noscript>
      <div class="row">
        <Quantity {...props} />
        <div data-part="buy">
          <button type="submit" class="button" disabled={!offer.canBuy}>
            {offer.canBuy ? 'Add to cart' : offer.stock}
          </button>
        </div>
      </div>
    </form>
  );
};

const Facts = ({ of: { vendor, sku, attributes } }: { of: Product }) => (
  <dl class="facts">
    {[['Brand', vendor] as const, ['Article number', sku] as const, ...Object.entries(attributes)].map(
      ([name, value]) =>
        value && (
          <div>
            <dt dir="auto">{clip(titled(name), 40)}</dt>
            <dd dir="auto">{clip([value].flat().join(', '), 120)}</dd>
          </div>
        ),
    )}
  </dl>
);

const Details = (props: BuyProps) => {
  const { product, offer } = props;
  const text = product.description ? htmlToText(product.description) : '';
  return (
    <div class="product">
      <div data-part="gallery">
        <Gallery product={product} variant={chooseVariant(product, props.filled).variant} />
      </div>
      <div>
        <Badge of={product} />
        <h1 dir="auto">{product.name}</h1>
        <div data-part="price" aria-live="polite">
          <OfferPrice offer={offer} currency={product.currency} />
          <p class={offer.canBuy ? 'stock' : 'stock none'}>{offer.stock}</p>
        </div>
        {text && (
          <p class="lead" dir="auto">
            {clip(text, MAX_DESCRIPTION_LENGTH)}
          </p>
        )}
        <Buy {...props} />
        <Facts of={product} />
      </div>
    </div>
  );
};

const Shelf = ({ title, of }: { title: string; of: readonly Part[] }) =>
  of.length > 0 ? (
    <section>
      <h2>{title}</h2>
      <Cards of={of} />
    </section>
  ) : null;

const productPage = async (request: PageRequest, formError: FormError | null): Promise<View | Outcome> => {
  const related = attempt(
    shopOf(request).products.listRelated({ id: Number(request.param('id')), limit: MAX_RELATED }),
  );
  const found = await readProduct(request);
  if (!found.ok) return found;
  const product = found.value;
  const [parts, others] = await Promise.all([readParts(request, product), related]);
  const filled = filledOf(request);
  const [category] = product.categories ?? [];
  const offer = offerOf(product, parts, filled);
  const { variant } = chooseVariant(product, filled);
  const { origin, pathname } = new URL(request.c.req.url);
  const body = (
    <>
      <Details
        request={request}
        formError={formError}
        product={product}
        parts={parts}
        filled={filled}
        offer={offer}
      />
      <Shelf title="In this set" of={[...parts.values()].slice(0, 2 * MAX_RELATED)} />
      <Shelf title="You may also like" of={others.ok ? others.value.data : []} />
    </>
  );
  return {
    title: product.seo?.title || product.name,
    description: product.seo?.description || htmlToText(product.description ?? ''),
    image: product.seo?.og_image || variant?.image || product.image || undefined,
    product: productData({ product, variant, offer, url: `${origin}${pathname}` }),
    trail: [
      ['/demo', 'Home'],
      category ? [`/demo/categories/${category.slug}`, category.name] : ['/demo/products', 'All products'],
    ],
    ownHeading: true,
    body,
  };
};

async function add(request: PageRequest, chosen: z.output<typeof Chosen>): Promise<Outcome> {
  const found = await readProduct(request);
  return found.ok ? addToCart(request, found.value, chosen) : found;
}

const at = { path: '/demo/products/:id', audience: 'anyone' } as const;

/** The page of a product, with the form that puts it into the cart. */
export const productPages: readonly Page[] = [
  getPage(at, productPage),
  form({ ...at, form: Chosen }, productPage, add),
];
