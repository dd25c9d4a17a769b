/** The pages of the shop, as functions of what the API returned. `html` escapes every value. */
import { formatMoney, type Schemas } from '@storefront-edge/client';
import { html } from 'hono/html';

type Product = Schemas['Product'];
type Card = Schemas['ProductListItem'];
type Category = Schemas['Category'];
type Cart = Schemas['Cart'];
type Orders = Schemas['CustomerOrderList'];
type Order = Orders['data'][number];
type List = Schemas['ProductList'];

/** Markup, or a part of it. */
export type Html = ReturnType<typeof html>;

/** What every page shows around its content. */
export interface Frame {
  readonly shop: string;
  /** The stylesheet's path. */
  readonly styles: string;
  readonly path: string;
  /** Items in the cart; null when the shop has not seen the cart yet. */
  readonly count: number | null;
  readonly signedIn: boolean;
  /** The text of the search field. */
  readonly q?: string;
}

/** The category tree, and the path to the category of the page. */
export interface Place {
  readonly tree: readonly Category[];
  readonly trail: readonly Category[];
}

/** The query of a list page: filters by name, each with its values. */
export type Chosen = ReadonlyMap<string, readonly string[]>;

const LOCALE = 'en';
const money = (amount: number, currency: string): string => formatMoney(amount, currency, LOCALE);
const day = (iso: string): string =>
  new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso));
const time = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(iso),
  );

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Returns a description's text: it may be HTML from anywhere. */
export const plain = (text: string): string =>
  text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
    .trim();

export const page = (frame: Frame, title: string, main: Html, description = ''): Html => html`<!doctype html>
<html lang="${LOCALE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${frame.shop}</title>
${description && html`<meta name="description" content="${description.slice(0, 160)}">`}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${frame.styles}">
<link rel="expect" href="#end" blocking="render">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/">${frame.shop}</a>
<search><form action="/search"><input type="search" name="q" value="${frame.q ?? ''}" aria-label="Search the shop"
 placeholder="Search" maxlength="100" required><button>Search</button></form></search>
<nav aria-label="Your shop">${link(frame, '/account', frame.signedIn ? 'Account' : 'Sign in')}
${link(frame, '/cart', html`Cart${frame.count ? html` <span class="count">${frame.count}</span>` : ''}`)}</nav>
</header>
<main id="main">${main}</main>
<footer id="end"><p>${frame.shop}. A storefront in two files, on the typed client of Storefront Edge.</p></footer>
</body>
</html>`;

const link = (frame: Frame, href: string, label: Html | string) =>
  html`<a href="${href}" ${frame.path.startsWith(href) ? html`aria-current="page"` : ''}>${label}</a>`;

/** Widths that the API resizes uploaded images to. */
const WIDTHS = [160, 320, 640, 960, 1280];

const picture = (media: Card['media'], name: string, sizes: string, eager = false): Html => {
  const [image] = media;
  if (!image) return html`<span class="picture" aria-hidden="true"></span>`;
  const { url, width, height } = image;
  const fitting = WIDTHS.filter((one) => width !== null && one <= width);
  return html`<img class="picture" src="${url}" alt="${image.alt ?? name}" width="${width ?? 640}"
 height="${height ?? 640}" ${fitting.length > 0 ? html`sizes="${sizes}" srcset="${fitting.map((w) => `${url}?w=${w} ${w}w`).join(', ')}"` : ''}
 ${eager ? html`fetchpriority="high"` : html`loading="lazy"`} decoding="async">`;
};

const price = ({ price_range: range, price: now, ...one }: Card | Product): Html => {
  const from = range.min < range.max ? html`<span class="from">from</span> ` : '';
  if (!one.on_sale || !one.regular_price)
    return html`<p class="price">${from}${money(range.min, one.currency)}</p>`;
  return html`<p class="price">${from}<span class="sale"><span class="hidden">Now </span>${money(now, one.currency)}</span>
<s><span class="hidden">Before </span>${money(one.regular_price, one.currency)}</s></p>`;
};

const card = (product: Card, at: number): Html => html`<li class="card">
${picture(product.media, '', '(min-width: 60rem) 18rem, 45vw', at < 4)}
<h3><a href="/products/${product.slug}">${product.name}</a></h3>
${price(product)}
${badge(product)}</li>`;

const badge = ({ in_stock, on_sale }: Card): Html | string => {
  if (!in_stock) return html`<p class="badge">Sold out</p>`;
  return on_sale ? html`<p class="badge deal">Sale</p>` : '';
};

export const cards = (products: readonly Card[]): Html => html`<ul class="cards">${products.map(card)}</ul>`;

const categoryLink = ({ slug, name, product_count: n }: Category, here?: Category): Html =>
  html`<a href="/categories/${slug}" ${slug === here?.slug ? html`aria-current="page"` : ''}>${name}
<span class="n">${n}</span></a>`;

export const home = (tree: readonly Category[], { data }: List): Html => {
  const [largest] = tree.toSorted((a, b) => b.product_count - a.product_count);
  return html`<section class="hero">
<h1>Good things for slow mornings and long days outdoors</h1>
<p>Coffee from small farms, pots from the pottery next door, and clothes that last.</p>
${largest && html`<a class="button" href="/categories/${largest.slug}">Shop ${largest.name}</a>`}
</section>
<h2 id="shop-by">Shop by category</h2>
<nav aria-labelledby="shop-by" class="tiles">${tree.map((category) => categoryLink(category))}</nav>
<h2>New in the shop</h2>
${cards(data)}`;
};

/** The list of a category or a search, with its filters. */
export const shelf = (title: string, place: Place, list: List, chosen: Chosen): Html => {
  const here = place.trail.at(-1);
  const near = here
    ? here.children.length > 0
      ? here.children
      : (place.trail.at(-2)?.children ?? [])
    : place.tree;
  return html`${here ? crumbs(place.trail.slice(0, -1)) : ''}
<h1>${title}</h1>
${here?.description ? html`<p class="lead">${plain(here.description)}</p>` : ''}
${near.length > 0 ? html`<nav aria-label="Categories" class="pills">${near.map((one) => categoryLink(one, here))}</nav>` : ''}
<div class="shelf">
${filters(list, chosen)}
<section aria-labelledby="products"><h2 id="products" class="hidden">Products</h2><p class="hint" role="status">${list.meta.total} ${list.meta.total === 1 ? 'product' : 'products'}</p>
${list.data.length > 0 ? cards(list.data) : html`<p class="empty">Nothing matches. Try fewer filters or another word.</p>`}
${pages(list.meta, chosen)}</section>
</div>`;
};

const crumbs = (trail: readonly { slug: string; name: string }[]): Html =>
  html`<nav aria-label="Breadcrumb" class="crumbs"><ol><li><a href="/">Home</a></li>${trail.map(
    ({ slug, name }) => html`<li><a href="/categories/${slug}">${name}</a></li>`,
  )}</ol></nav>`;

/** Returns a list page's address with one value changed. */
const query = (chosen: Chosen, name: string, value: string): string => {
  const parameters = new URLSearchParams({ [name]: value });
  for (const [one, all] of chosen) if (one !== name) for (const v of all) parameters.append(one, v);
  return `?${parameters}`;
};

const pages = ({ page: at, total_pages: last }: Schemas['PageMeta'], chosen: Chosen): Html | string =>
  last < 2
    ? ''
    : html`<nav aria-label="Pages" class="pages">
${at > 1 ? html`<a rel="prev" href="${query(chosen, 'page', String(at - 1))}">Previous</a>` : ''}
<span>Page ${at} of ${last}</span>
${at < last ? html`<a rel="next" href="${query(chosen, 'page', String(at + 1))}">Next</a>` : ''}</nav>`;

const SORTS = {
  newest: 'Newest',
  price_asc: 'Price, low to high',
  price_desc: 'Price, high to low',
  name_asc: 'Name',
};

const filters = ({ meta: { facets = {} } }: List, chosen: Chosen): Html => {
  const { price: range, in_stock: stock, ...groups } = facets;
  const has = (name: string, value: string) => chosen.get(name)?.includes(value) ?? false;
  const set = [...chosen.keys()].filter((name) => !['q', 'sort', 'page'].includes(name)).length;
  const box = (name: string, value: string, label: string, count?: number) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="${value}" ${has(name, value) ? 'checked' : ''}>
${label}${count === undefined ? '' : html` <span class="n">${count}</span>`}</label>`;
  const amount = (name: string, label: string, hint: number | null) =>
    html`<label>${label}<input name="${name}" inputmode="decimal" pattern="[0-9]+([.][0-9]+)?" size="6"
 value="${chosen.get(name)?.[0] ?? ''}" placeholder="${hint ?? ''}"></label>`;
  return html`<details class="filters"><summary>Filter and sort${set > 0 ? html` <span class="count">${set}<span class="hidden"> set</span></span>` : ''}</summary>
<form aria-label="Filters">
${chosen.get('q')?.map((q) => html`<input type="hidden" name="q" value="${q}">`)}
<label>Sort by<select name="sort">${Object.entries(SORTS).map(
    ([value, label]) =>
      html`<option value="${value}" ${has('sort', value) ? 'selected' : ''}>${label}</option>`,
  )}</select></label>
${
  stock
    ? html`<fieldset><legend>Availability</legend>${box('in_stock', 'true', 'In stock', stock.find((one) => one.value === 'true')?.count ?? 0)}
${box('on_sale', 'true', 'Reduced')}</fieldset>`
    : ''
}
${range ? html`<fieldset class="pair"><legend>Price</legend>${amount('price_min', 'From', range.min)}${amount('price_max', 'To', range.max)}</fieldset>` : ''}
${Object.entries(groups).map(([name, values]) =>
  Array.isArray(values) && values.length > 0
    ? html`<fieldset><legend>${name.replace('attr.', '').replace(/^./, (letter) => letter.toUpperCase())}</legend>
${values.slice(0, 8).map(({ value, label, count }) => box(name, value, label, count))}</fieldset>`
    : '',
)}
<button class="button">Show</button> <a href="?${chosen.has('q') ? new URLSearchParams({ q: chosen.get('q')?.[0] ?? '' }) : ''}">Reset</a>
</form></details>`;
};

/** A choice of a product: a radio button, or a checkbox where `many`. */
type Choice = { name: string; value: string; label: string; many?: boolean; gone?: boolean; set?: boolean };

const group = (title: string, choices: readonly Choice[]): Html | string =>
  choices.length === 0
    ? ''
    : html`<fieldset class="choices"><legend>${title}</legend>${choices.map(
        (
          one,
        ) => html`<label><input type="${one.many ? 'checkbox' : 'radio'}" name="${one.name}" value="${one.value}"
 ${one.gone ? 'disabled' : ''} ${one.set ? 'checked' : ''} ${one.many ? '' : 'required'}><span>${one.label}</span></label>`,
      )}</fieldset>`;

/** The choices of a product of any type. `parts` are the products of a bundle or a group. */
const choices = (product: Product, parts: readonly Card[]): Html => {
  const { variants = [], links = [], bundle_groups: bundle = [], grouped = [], booking, currency } = product;
  const part = (id: number) => parts.find((one) => one.id === id)?.name ?? `Product ${id}`;
  const first = variants.find((one) => one.in_stock);
  const varies = product.price_range.min < product.price_range.max;
  return html`${group(
    product.options.map(({ name }) => name).join(' and '),
    variants.map((one) => ({
      name: 'variant',
      value: String(one.id),
      gone: !one.in_stock,
      set: one === first,
      label:
        one.name + (varies ? `: ${money(one.price, currency)}` : '') + (one.in_stock ? '' : ' (sold out)'),
    })),
  )}${group(
    `Time (${booking?.timezone ?? ''})`,
    (booking?.slots ?? [])
      .filter(({ available }) => available > 0)
      .map(({ from, to, available }) => ({
        name: 'slot',
        value: `${from} ${to}`,
        label: `${time(from, booking?.timezone ?? 'UTC')} (${available} places)`,
      })),
  )}${group(
    'Files',
    links.map(({ id, title, price: more }) => ({
      name: 'link',
      value: String(id),
      many: true,
      set: true,
      label: more ? `${title}: ${money(more, currency)}` : title,
    })),
  )}${bundle.map(({ id, title, multiple, required, items }) =>
    group(
      required ? title : `${title} (optional)`,
      items.map((one) => ({
        name: `bundle-${id}`,
        value: String(one.id),
        many: multiple || !required,
        set: one.default,
        label: part(one.product_id),
      })),
    ),
  )}${grouped.map(({ product_id: id, default_quantity: n }) => quantity(part(id), `qty-${id}`, n, 0))}`;
};

const quantity = (label: Html | string, name: string, value: number, min: number): Html =>
  html`<label class="quantity">${label}<input type="number" name="${name}" value="${value}" min="${min}" max="9999" required></label>`;

const alert = (message: string): Html | string =>
  message && html`<p class="alert" role="alert">${message}</p>`;

/** A product. `others` are its parts, or else products like it. */
export const productPage = (product: Product, others: readonly Card[], problem: string): Html => {
  const isSet = product.type === 'bundled' || product.type === 'grouped';
  return html`${crumbs((product.categories ?? []).slice(0, 1))}
<div class="product">
<div>${picture(product.media, product.name, '(min-width: 60rem) 34rem, 92vw', true)}</div>
<div><h1>${product.name}</h1>
${price(product)}${badge(product)}
${product.description && html`<p class="lead">${plain(product.description)}</p>`}
${alert(problem)}
${
  product.in_stock
    ? html`<form method="post" action="/cart" class="stack">
<input type="hidden" name="product" value="${product.id}"><input type="hidden" name="slug" value="${product.slug}">
<input type="hidden" name="once" value="${crypto.randomUUID()}">
${choices(product, others)}${quantity('Quantity', 'quantity', 1, 1)}<button class="button">Add to cart</button></form>`
    : html`<p>Sold out at the moment.</p>`
}
<dl class="facts">${[
    ['Made by', product.vendor],
    ['Article', product.sku],
    ...Object.entries(product.attributes),
  ].map(
    ([name, value]) => value && html`<div><dt>${name}</dt><dd>${[value].flat().join(', ')}</dd></div>`,
  )}</dl></div>
</div>
${others.length > 0 ? html`<h2>${isSet ? 'What it is made of' : 'You may also like'}</h2>${cards(others)}` : ''}`;
};

const sums = ({ totals: sum, currency }: Cart | Order): Html =>
  html`<dl class="sums">${[
    ['Subtotal', sum.subtotal],
    ['Discount', -sum.discount],
    ['Shipping', sum.shipping],
    [sum.tax_included ? 'Tax included' : 'Tax', sum.tax],
    ['Total', sum.grand_total],
  ].map(([name, amount]) =>
    amount || name !== 'Discount'
      ? html`<div><dt>${name}</dt><dd>${money(Number(amount), currency)}</dd></div>`
      : '',
  )}</dl>`;

const line = (item: Cart['items'][number], currency: string): Html => html`<li class="line">
${item.image ? html`<img class="picture" src="${item.image}" alt="" width="80" height="80">` : html`<span class="picture"></span>`}
<div><h2><a href="/products/${item.slug}">${item.name}</a></h2>
${item.selected.map(({ name, value }) => html`<p class="hint">${name}: ${value}</p>`)}<p class="hint">${money(item.unit_price, currency)} each</p></div>
<form method="post" action="/cart/${item.id}">${quantity(html`Quantity<span class="hidden"> of ${item.name}</span>`, 'quantity', item.quantity, 0)}
<button>Update<span class="hidden"> ${item.name}</span></button><button name="remove" value="yes" class="quiet" formnovalidate>Remove<span class="hidden"> ${item.name}</span></button></form>
<p class="price">${money(item.total, currency)}</p></li>`;

export const cartPage = (cart: Cart | null, note: string, problem: string): Html => html`<h1>Your cart</h1>
${note && html`<p class="note" role="status">${note}</p>`}${alert(problem)}
${
  cart && cart.items.length > 0
    ? html`${cart.warnings.map(({ message }) => html`<p class="note">${message}</p>`)}
<div class="basket"><ul class="lines">${cart.items.map((item) => line(item, cart.currency))}</ul>
<section aria-labelledby="sum" class="panel"><h2 id="sum">Summary</h2>${sums(cart)}
<form method="post" action="/checkout"><button class="button">Go to checkout</button></form>
<p class="hint">You pay on a secure page and come back here.</p></section></div>`
    : html`<p class="empty">Your cart is empty.</p><p><a class="button" href="/">Find something good</a></p>`
}`;

const orderCard = (
  order: Order,
): Html => html`<li class="panel"><h3>Order ${order.number} <span class="badge">${order.status}</span></h3>
<p class="hint">${day(order.created_at)}</p>
<ul>${order.items.map(
  ({ name, quantity: n, downloads = [] }) =>
    html`<li>${n} × ${name}${downloads.map(({ title, url }) => html` · <a href="${url}">${title}</a>`)}</li>`,
)}</ul>${sums(order)}</li>`;

export const account = (
  { name, email }: Schemas['Customer'],
  { data, meta }: Orders,
): Html => html`<h1>Your account</h1>
<p>${name}, ${email}</p><form method="post" action="/account/logout"><button>Sign out</button></form>
<h2>Your orders</h2>
${data.length > 0 ? html`<ul class="orders">${data.map(orderCard)}</ul>${pages(meta, new Map())}` : html`<p class="empty">No orders yet.</p>`}`;

/** A field of the sign-in or registration form. */
type Field = { name: string; label: string; type: string; complete: string; hint?: string; least?: number };
const EMAIL: Field = { name: 'email', label: 'E-mail', type: 'email', complete: 'email' };
const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  complete: 'current-password',
};
const NEW_PASSWORD = { ...PASSWORD, complete: 'new-password', hint: 'At least 8 characters', least: 8 };
export const FORMS = {
  login: { title: 'Sign in', fields: [EMAIL, PASSWORD], other: ['register', 'New here? Create an account'] },
  register: {
    title: 'Create an account',
    fields: [{ name: 'name', label: 'Name', type: 'text', complete: 'name' }, EMAIL, NEW_PASSWORD],
    other: ['login', 'Already have an account? Sign in'],
  },
} as const;

/** What was wrong with a form: a message, and messages by field. */
export type Problem = {
  readonly message: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
};

/** Sign-in or registration, with what was entered and what is wrong with it. */
export const enter = (
  kind: keyof typeof FORMS,
  sent: Readonly<Record<string, string>>,
  wrong?: Problem,
): Html => {
  const { title, fields, other } = FORMS[kind];
  const field = ({ name, label, type, complete, hint, least }: Field) => {
    const error = wrong?.errors[name]?.join(', ') ?? hint;
    return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" autocomplete="${complete}" required
 maxlength="200" minlength="${least ?? 1}" value="${type === 'password' ? '' : (sent[name] ?? '')}"
 ${error ? html`aria-describedby="${name}-hint"` : ''} ${wrong?.errors[name] ? html`aria-invalid="true"` : ''}>
${error ? html`<p class="hint" id="${name}-hint">${error}</p>` : ''}`;
  };
  return html`<div class="narrow"><h1>${title}</h1>${alert(wrong?.message ?? '')}
<form method="post" class="stack">${fields.map(field)}<button class="button">${title}</button></form>
<p><a href="/account/${other[0]}">${other[1]}</a></p></div>`;
};

export const message = (title: string, text: string): Html =>
  html`<div class="narrow"><h1>${title}</h1><p>${text}</p><p><a class="button" href="/">Back to the shop</a></p></div>`;
