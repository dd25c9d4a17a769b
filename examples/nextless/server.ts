/** A shop in two files: its routes here, its pages in views.ts. No page makes more than two calls to the API. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import {
  type Client,
  createClient,
  isApiError,
  type Schemas,
  verifyCheckoutReturn,
} from '@storefront-edge/client';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import * as views from './views.ts';

const { env } = process;
const API = new URL(env.API_URL ?? 'http://127.0.0.1:8787').origin;
/** Where shoppers find this shop. */
const ORIGIN = new URL(env.PUBLIC_URL ?? `http://127.0.0.1:${env.PORT || 3000}`).origin;
const SHOP = env.SHOP_NAME ?? 'Pine & Harbour';
const STYLES = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const STYLES_PATH = `/${createHash('sha256').update(STYLES).digest('hex').slice(0, 12)}.css`;
/** Options of this shop's products that its lists are filtered by. */
const FACETS = 'price,in_stock,vendor,attr.color,attr.size,attr.weight,attr.grind';

type App = { Bindings: { ip: string }; Variables: { api: Client; count: number } };
type Page = Context<App>;

const remember = (c: Page, name: string, value: string | null): void =>
  setCookie(c, name, value ?? '', {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: ORIGIN.startsWith('https:'),
    maxAge: value ? 30 * 24 * 3600 : 0,
  });

/** Keeps the number in the header: of the cart as last seen. */
function counted(c: Page, cart: Schemas['Cart'] | null): Schemas['Cart'] | null {
  const count = cart?.total_quantity ?? 0;
  c.set('count', count);
  remember(c, 'count', count ? String(count) : null);
  return cart;
}

type Shown = { status?: 200 | 401 | 404 | 422 | 429 | 502; q?: string; description?: string };

const show = (c: Page, title: string, main: views.Html, { status = 200, q = '', description }: Shown = {}) =>
  c.html(
    views.page(
      {
        shop: SHOP,
        styles: STYLES_PATH,
        path: c.req.path,
        q,
        count: c.get('count') ?? Number(getCookie(c, 'count') ?? 0),
        signedIn: c.get('api').session.customerToken !== null,
      },
      title,
      main,
      description,
    ),
    status,
  );

const app = new Hono<App>();

app.use(
  secureHeaders({
    referrerPolicy: 'same-origin',
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', 'https:', API],
      // A form's redirect to the checkout is one of its actions.
      formAction: ["'self'", API],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  }),
);
app.get(STYLES_PATH, (c) =>
  c.body(STYLES, 200, { 'Content-Type': 'text/css', 'Cache-Control': 'public, max-age=31536000, immutable' }),
);
app.use(csrf({ origin: ORIGIN }), bodyLimit({ maxSize: 64 * 1024 }));

// A client for each request, with the shopper's tokens. `Server-Timing` says how often it called the API.
app.use(async (c, next) => {
  let calls = 0;
  const begun = performance.now();
  const api = createClient({
    baseUrl: API,
    token: env.STOREFRONT_TOKEN ?? '',
    buyerIp: c.env.ip,
    session: { cartToken: getCookie(c, 'cart') || null, customerToken: getCookie(c, 'customer') || null },
    onSession: ({ cartToken, customerToken }) => {
      remember(c, 'cart', cartToken);
      remember(c, 'customer', customerToken);
      if (!cartToken) counted(c, null);
    },
    fetch: (url, init) => {
      calls++;
      return fetch(url, init);
    },
  });
  c.set('api', api);
  await next();
  c.header('Server-Timing', `api;desc="${calls} calls";dur=${Math.round(performance.now() - begun)}`);
  c.header('Cache-Control', 'private, no-store');
});

app.onError((error, c) => {
  // A form of another site, or one that is too large.
  if (error instanceof HTTPException) return error.getResponse();
  const { status = 500, retryAfterSeconds = 5, requestId = '' } = isApiError(error) ? error : {};
  if (status === 404) return notFound(c);
  const failed = (title: string, text: string, shown: Shown) =>
    show(c, title, views.message(title, text), shown);
  if (status === 422) return failed('Not valid', 'This address asks for something else.', { status });
  console.error(`${c.req.method} ${c.req.path}`, requestId, error);
  if (status !== 429)
    return failed('Sorry', 'This did not work. Please try again in a moment.', { status: 502 });
  c.header('Retry-After', String(retryAfterSeconds));
  return failed('One moment', 'Many people are here right now. Please try again.', { status });
});

const notFound = (c: Page) =>
  show(c, 'Not found', views.message('Not found', 'There is nothing here, or not any more.'), {
    status: 404,
  });
app.notFound(notFound);

app.get('/', async (c) => {
  const { categories, products } = c.get('api');
  const [tree, list] = await Promise.all([categories.getTree(), products.list({ limit: 8 })]);
  return show(c, 'Home', views.home(tree.data, list));
});

/** Returns the path from the root of the tree to a category, or an empty one. */
function trailTo(slug: string, tree: readonly Schemas['Category'][]): Schemas['Category'][] {
  for (const one of tree) {
    const below = one.slug === slug ? [] : trailTo(slug, one.children);
    if (one.slug === slug || below.length > 0) return [one, ...below];
  }
  return [];
}

/** Returns a page's path for `Location`, which takes ASCII alone: slugs have letters of any language. */
const pathTo = (pages: 'categories' | 'products', slug: string) => `/${pages}/${encodeURIComponent(slug)}`;

const FILTERS = ['page', 'sort', 'q', 'in_stock', 'on_sale', 'price_min', 'price_max', 'vendor'];

/** Returns what a list page asks for, as its form says it, and as the API takes it. */
function asked(c: Page): { chosen: views.Chosen; query: object } {
  const chosen = Object.entries(c.req.queries())
    .map(([name, all]) => [name, all.filter((value) => value !== '')] as const)
    .filter(([name, all]) => all.length > 0 && (FILTERS.includes(name) || name.startsWith('attr.')));
  return {
    chosen: new Map(chosen),
    query: { ...Object.fromEntries(chosen), limit: 12, facets: FACETS },
  };
}

app.get('/categories/:slug', async (c) => {
  const { categories, products } = c.get('api');
  const slug = c.req.param('slug');
  const { data: tree } = await categories.getTree();
  const trail = trailTo(slug, tree);
  const here = trail.at(-1);
  // A category that was renamed.
  if (!here) return c.redirect(pathTo('categories', (await categories.getBySlug({ slug })).slug), 301);
  const { chosen, query } = asked(c);
  const list = await products.list({ ...query, category_id: here.id });
  const description = here.description ?? '';
  return show(c, here.name, views.shelf(here.name, { tree, trail }, list, chosen), { description });
});

app.get('/search', async (c) => {
  const { categories, products } = c.get('api');
  const { chosen, query } = asked(c);
  const q = chosen.get('q')?.[0];
  if (!q) return c.redirect('/');
  const [tree, list] = await Promise.all([categories.getTree(), products.search({ ...query, q })]);
  const title = `Results for “${q}”`;
  return show(c, title, views.shelf(title, { tree: tree.data, trail: [] }, list, chosen), { q });
});

/** Texts for what may go wrong with a cart. */
const PROBLEMS: Readonly<Record<string, string>> = {
  insufficient_stock: 'There are not enough left for this quantity.',
  slot_unavailable: 'This time has not enough places left. Choose another one.',
  validation_error: 'Choose from each list, and a quantity of at least 1.',
  cart_locked: 'An order of this cart waits for its payment.',
  invalid_customer_token: 'You were signed out. You can go on as a guest, or sign in again.',
};
const problemOf = (c: Page): string => {
  const code = c.req.query('problem');
  return code ? (PROBLEMS[code] ?? 'This did not work. Please try again.') : '';
};

/** Goes back to a page that says what went wrong, where a shopper can do something about it. */
function backTo(c: Page, path: string, error: unknown) {
  if (!isApiError(error) || error.status >= 500 || error.status === 429) throw error;
  return c.redirect(`${path}?problem=${error.code}`, 303);
}

app.get('/products/:slug', async (c) => {
  const { products } = c.get('api');
  const slug = c.req.param('slug');
  const product = await products.getBySlug({ slug });
  // A product that was renamed.
  if (product.slug !== slug) return c.redirect(pathTo('products', product.slug), 301);
  const { grouped = [], bundle_groups: bundle = [] } = product;
  const parts = [...grouped, ...bundle.flatMap(({ items }) => items)].map((one) => one.product_id);
  const others =
    parts.length > 0
      ? await products.list({ ids: [...new Set(parts)].slice(0, 100) })
      : await products.listRelated({ id: product.id, limit: 4 });
  const main = views.productPage(product, others.data, problemOf(c));
  return show(c, product.name, main, { description: views.plain(product.description ?? '') });
});

/** Returns the options of a product of any type, from the fields of its form. */
function optionsOf(form: FormData): Record<string, unknown> {
  const numbers = (name: string) => form.getAll(name).map(Number);
  const named = (prefix: string) => [...new Set(form.keys())].filter((name) => name.startsWith(prefix));
  const [from, to] = String(form.get('slot') ?? '').split(' ');
  const bundle = named('bundle-').map((name) => [name.slice(7), numbers(name)] as const);
  const parts = named('qty-').map((name) => [name.slice(4), Number(form.get(name))] as const);
  return {
    ...(form.has('variant') && { variant_id: Number(form.get('variant')) }),
    ...(form.has('slot') && { booking: { from, to } }),
    ...(form.has('link') && { links: numbers('link') }),
    ...(bundle.length > 0 && { bundle_options: Object.fromEntries(bundle) }),
    ...(parts.length > 0 && { qty: Object.fromEntries(parts) }),
  };
}

/** Whether the cart of the browser can't be used any more: a new one takes its place. */
const isCartLost = (error: unknown): boolean =>
  isApiError(error, 'cart_not_found', 'cart_expired', 'cart_locked');

app.post('/cart', async (c) => {
  const api = c.get('api');
  const { cartToken: before, customerToken } = api.session;
  const form = await c.req.formData();
  const options = optionsOf(form);
  const item = {
    product_id: Number(form.get('product')),
    quantity: Number(form.get('quantity')),
    ...(Object.keys(options).length > 0 && { options }),
  };
  // The form's key with what is chosen in it: pressing the button twice adds once, and another choice is another call.
  const once = createHash('sha256')
    .update(JSON.stringify([form.get('once'), item]))
    .digest('hex');
  const add = async () => counted(c, await api.cart.addItem(item, { idempotencyKey: once }));
  try {
    await add().catch((error) => {
      if (!before || !isCartLost(error)) throw error;
      api.setSession({ cartToken: null });
      return add();
    });
    if (!before && customerToken) await api.customers.assignCart();
  } catch (error) {
    // The first press has made the cart, with which the second is another call.
    const isAdded = isApiError(error, 'idempotency_key_reused');
    if (!isAdded) return backTo(c, pathTo('products', String(form.get('slug'))), error);
  }
  return c.redirect('/cart?added', 303);
});

/** Reads the browser's cart; null if there is none. A customer whose session has ended is a guest. */
async function cartOf({ cart, session }: Client): Promise<Schemas['Cart'] | null> {
  if (!session.cartToken) return null;
  try {
    return await cart.get();
  } catch (error) {
    if (isApiError(error, 'invalid_customer_token')) return cart.get();
    if (isCartLost(error)) return null;
    throw error;
  }
}

app.get('/cart', async (c) => {
  const api = c.get('api');
  const found = await cartOf(api);
  if (found?.status === 'paid') api.setSession({ cartToken: null });
  const cart = counted(c, found?.status === 'paid' ? null : found);
  const note = c.req.query('added') === undefined ? '' : 'Added to your cart.';
  return show(c, 'Your cart', views.cartPage(cart, note, problemOf(c)));
});

app.post('/cart/:id', async (c) => {
  const { cart, session } = c.get('api');
  // Another tab has paid for it.
  if (!session.cartToken) return c.redirect('/cart', 303);
  const form = await c.req.formData();
  const id = Number(c.req.param('id'));
  const quantity = form.has('remove') ? 0 : Number(form.get('quantity'));
  try {
    await (quantity > 0 ? cart.updateItem({ id, quantity }) : cart.removeItem({ id }));
    return c.redirect('/cart', 303);
  } catch (error) {
    return backTo(c, '/cart', error);
  }
});

app.post('/checkout', async (c) => {
  const api = c.get('api');
  if (!api.session.cartToken) return c.redirect('/cart', 303);
  try {
    if (api.session.customerToken) await api.customers.assignCart();
    const urls = { return_url: `${ORIGIN}/thanks`, cancel_url: `${ORIGIN}/cart` };
    return c.redirect((await api.checkout.start(urls)).redirect_url, 303);
  } catch (error) {
    return backTo(c, '/cart', error);
  }
});

// The signature says that the order is true. The cart is done if it was the one that is paid.
app.get('/thanks', async (c) => {
  const order = await verifyCheckoutReturn(c.req.url, env.CHECKOUT_SECRET ?? '');
  if (!order) return notFound(c);
  const api = c.get('api');
  const cart = await cartOf(api);
  if (!cart || cart.status === 'paid') api.setSession({ cartToken: null });
  const text = `Your order ${order.orderNumber} is ${order.status}.`;
  return show(c, 'Your order', views.message(order.status === 'paid' ? 'Thank you' : 'Your order', text));
});

app.get('/account', async (c) => {
  const { customers, session } = c.get('api');
  if (!session.customerToken) return c.redirect('/account/login');
  try {
    const page = Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1);
    const [me, orders] = await Promise.all([
      customers.getCurrent(),
      customers.listOrders({ page, limit: 10 }),
    ]);
    return show(c, 'Your account', views.account(me, orders));
  } catch (error) {
    if (isApiError(error, 'invalid_customer_token')) return c.redirect('/account/login');
    throw error;
  }
});

for (const kind of ['login', 'register'] as const) {
  app.get(`/account/${kind}`, (c) => show(c, views.FORMS[kind].title, views.enter(kind, {})));
  app.post(`/account/${kind}`, async (c) => {
    const api = c.get('api');
    const form = await c.req.formData();
    const [name = '', email = '', password = ''] = ['name', 'email', 'password'].map(
      (one) => `${form.get(one) ?? ''}`,
    );
    try {
      await (kind === 'login'
        ? api.customers.login({ email, password })
        : api.customers.register({ name, email, password }));
      return c.redirect('/account', 303);
    } catch (error) {
      if (!isApiError(error) || error.status >= 500) throw error;
      const main = views.enter(kind, { name, email }, error);
      return show(c, views.FORMS[kind].title, main, { status: 422 });
    }
  });
}

app.post('/account/logout', async (c) => {
  const api = c.get('api');
  await api.customers.logout().catch(() => {});
  // The cart is the customer's, and there again after the next sign-in.
  api.setSession({ cartToken: null, customerToken: null });
  return c.redirect('/', 303);
});

const server = createServer(async (incoming, outgoing) => {
  const { method = 'GET', headers, url = '/', socket } = incoming;
  // The global class, which TypeScript's "dom" declares apart from Node's.
  const sent = () => Readable.toWeb(incoming) as ReadableStream;
  const body = /^(GET|HEAD)$/.test(method) ? {} : { body: sent(), duplex: 'half' as const };
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  try {
    if (!url.startsWith('/')) throw new TypeError(`${url} is no path of this shop`);
    const request = new Request(ORIGIN + url, { method, headers: fields, ...body });
    const response = await app.fetch(request, { ip: socket.remoteAddress ?? '' });
    outgoing.statusCode = response.status;
    for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } catch {
    // No request of a browser: `TRACE`, or the address of another server in place of a path.
    outgoing.writeHead(400).end();
  }
});
server.on('error', ({ message }) => {
  console.error(message);
  process.exit(1);
});
const port = Number(env.PORT || new URL(ORIGIN).port || 3000);
server.listen(port, env.HOST ?? '127.0.0.1', () => console.log(`The shop is open at ${ORIGIN}`));
