import type { z } from 'zod';
import { formatMoney, type Schemas } from '../../client/src/index.ts';
import { MAX_LINE_QUANTITY } from '../kernel/core/limits.ts';
import {
  Field,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
} from '../web/index.ts';
import { Choices, Chosen, optionsOf } from './options.tsx';
import { attempt, attemptAsGuest, isLost, shopOf } from './session.ts';

type Product = Schemas['Product'];

/** The widths that uploaded images are served in, by the size that they are shown in: for plain and dense screens. */
const COPIES = { 240: [320, 640], 480: [640, 1280] } as const;

/** A product image with a fixed size, to avoid layout shift while it loads. Uploaded ones come in a fitting size. */
const Picture = ({ of: { media, name }, size }: { of: Pick<Product, 'media' | 'name'>; size: 240 | 480 }) => {
  const [image] = media;
  if (!image) return null;
  const [plain, dense] = COPIES[size];
  const copies =
    image.width === null
      ? { src: image.url }
      : { src: `${image.url}?w=${plain}`, srcset: `${image.url}?w=${dense} 2x` };
  return (
    <img {...copies} alt={image.alt ?? name} width={size} height={size} loading="lazy" decoding="async" />
  );
};

const shelfPage = async (request: PageRequest) => {
  const q = request.query('q').trim();
  const asked = { limit: 12, page: Number(request.query('page') || 1) };
  const { products } = shopOf(request);
  const answer = await attempt(q ? products.search({ ...asked, q }) : products.list(asked));
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const body = (
    <>
      <search>
        <form class="search" action="/demo">
          <input name="q" type="search" value={q} aria-label="Search the shop" maxlength={100} />
          <button type="submit">Search</button>
        </form>
      </search>
      {data.length === 0 && <p class="empty">No products found.</p>}
      <ul class="shelf goods">
        {data.map((product) => (
          <li>
            <Picture of={product} size={240} />
            <h2>
              <a href={`/demo/products/${product.id}`}>{product.name}</a>
            </h2>
            <p class="price">{formatMoney(product.price, product.currency, 'en')}</p>
            {!product.in_stock && <p class="hint">Sold out</p>}
          </li>
        ))}
      </ul>
      {data.length > 0 && (
        <Pages meta={meta} href={(to) => `/demo?page=${to}${q ? `&q=${encodeURIComponent(q)}` : ''}`} />
      )}
    </>
  );
  return { title: q ? `Search: ${q}` : 'New in the shop', body };
};

/** Returns the names of a bundle's products by id; at most 100 are loaded. */
async function namesOf(request: PageRequest, goods: Product): Promise<Map<number, string>> {
  const ids = new Set(goods.bundle_groups?.flatMap(({ items }) => items.map((item) => item.product_id)));
  if (ids.size === 0) return new Map();
  const found = await attempt(shopOf(request).products.list({ ids: [...ids].slice(0, 100).join(',') }));
  return new Map(found.ok ? found.value.data.map(({ id, name }) => [id, name]) : []);
}

/** Returns the page's product. An id that is no number is the API's to refuse. */
const productOf = (request: PageRequest) =>
  attempt(shopOf(request).products.get({ id: Number(request.param('id')) }));

const Price = ({ of: { price, regular_price, on_sale, currency } }: { of: Product }) => (
  <p class="price">
    {formatMoney(price, currency, 'en')}
    {on_sale && regular_price !== null && (
      <span class="hint"> instead of {formatMoney(regular_price, currency, 'en')}</span>
    )}
  </p>
);

const goodsPage = async (request: PageRequest, formError: FormError | null) => {
  const answer = await productOf(request);
  if (!answer.ok) return answer;
  const goods = answer.value;
  const names = await namesOf(request, goods);
  const body = (
    <div class="beside">
      <div class="card picture">
        <Picture of={goods} size={480} />
      </div>
      <div>
        <Price of={goods} />
        {goods.inventory_policy === 'deny' && goods.stock <= 5 && (
          <p class="hint">{goods.stock > 0 ? `Only ${goods.stock} left` : 'Sold out'}</p>
        )}
        {goods.description && <p>{plain(goods.description)}</p>}
        <Form request={request} action={`/demo/products/${goods.id}`} submit="Add to cart">
          <Choices goods={goods} names={names} />
          <Field
            f={{ request, trouble: formError }}
            name="quantity"
            label="Quantity"
            type="number"
            value={1}
            required
            attributes={{ min: 1, max: MAX_LINE_QUANTITY }}
          />
        </Form>
      </div>
    </div>
  );
  return { title: goods.name, body };
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&nbsp;': ' ',
};

/** Returns the text of an untrusted HTML description; JSX escapes it on output. */
const plain = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|apos|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

async function add(request: PageRequest, chosen: z.output<typeof Chosen>): Promise<Outcome> {
  const found = await productOf(request);
  if (!found.ok) return found;
  const options = optionsOf(found.value, chosen);
  const quantity = Number([chosen.quantity ?? 1].flat()[0]);
  const item = { product_id: found.value.id, quantity, ...(options && { options }) };
  const client = shopOf(request);
  const once = request.sent._once?.[0];
  const send = (key = once) =>
    attemptAsGuest(() => client.cart.addItem(item, key === undefined ? {} : { idempotencyKey: key }));
  const cart = client.session.cartToken;
  let added = await send();
  if (!added.ok && cart && isLost(added.trouble)) {
    // The cart is no longer usable, so the item goes into a new one.
    client.setSession({ cartToken: null });
    added = await send(once && `${once}-new`);
  }
  if (!added.ok) return added;
  // A new cart is the signed-in customer's.
  if (added.value.cart_token !== cart && client.session.customerToken) {
    await attempt(client.customers.assignCart());
  }
  return { to: '/demo/cart', note: 'in_cart' };
}

const product = { path: '/demo/products/:id', audience: 'anyone' } as const;

/** The demo shop's product list, search and product pages. */
export const demoShopPages: readonly Page[] = [
  getPage({ path: '/demo', audience: 'anyone' }, shelfPage),
  getPage(product, goodsPage),
  form({ ...product, form: Chosen }, goodsPage, add),
];
