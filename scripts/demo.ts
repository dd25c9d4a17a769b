import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type Client, client } from './client.ts';
import {
  CATEGORIES,
  type DemoCategory,
  type DemoProduct,
  PRODUCTS,
  PROMOTIONS,
  TENANT,
  THEME,
} from './demo/index.ts';
import { drawPicture } from './pictures/index.ts';
import { drawIcon, drawLogo } from './pictures/logo.ts';

/** State stored beside the data, so that the next start reuses the tokens. */
interface DemoState {
  readonly token: string;
  /** The token of the demo storefront at /demo, with a storefront's scopes only. */
  readonly storefront: string;
  /** Whether the shop was filled once. It is not filled again, so deleted products stay deleted. */
  readonly filled: boolean;
}

/** The demo tenant's tokens. */
export type DemoTokens = Pick<DemoState, 'token' | 'storefront'>;

const APPLICATIONS = {
  token: { name: 'Demo', kind: 'integration' },
  storefront: { name: 'Demo storefront', kind: 'storefront' },
} as const;

/**
 * Returns the demo tenant's tokens; creates and fills the tenant in the service at `base` if needed. Stores the
 * tokens in `folder`, and rotates one that is lost or rejected. Idempotent: continues an interrupted start.
 */
export async function openDemo(base: string, adminToken: string, folder: string): Promise<DemoTokens> {
  const file = join(folder, 'demo.json');
  const kept = read(file);
  const admin = client(base, adminToken);
  const ifValid = async (token: string | undefined): Promise<string | null> =>
    token && (await isValid(base, token)) ? token : null;
  const token = (await ifValid(kept?.token)) ?? (await obtain(admin, APPLICATIONS.token));
  const storefront = (await ifValid(kept?.storefront)) ?? (await obtain(admin, APPLICATIONS.storefront));
  const known = client(base, token);
  await nameShopPages(known, base);
  const filled = kept?.filled || (await countProducts(known)) >= PRODUCTS.length;
  if (kept?.token !== token || kept.storefront !== storefront || !filled) {
    keep(folder, file, { token, storefront, filled });
  }
  if (filled) return { token, storefront };
  console.log(`Filling the demo shop with ${PRODUCTS.length} products …`);
  await fill(known);
  keep(folder, file, { token, storefront, filled: true });
  return { token, storefront };
}

/** What `npm run dev` names as the first page of the demo shop, at whatever port it ran. */
const DEMO_HOME = /^http:\/\/127\.0\.0\.1:\d+\/demo$/;

/**
 * Names the demo shop's own pages as those where agents send shoppers, unless the tenant has others. Without
 * `DEV_ALLOW_LOCAL_URLS` the service takes only https, and they stay unnamed.
 */
async function nameShopPages(api: Client, base: string): Promise<void> {
  const { ucp } = await api<{ ucp?: { storefront_url?: string | null } }>('GET', '/v1/settings');
  const storefront_url = `${base}/demo`;
  const before = ucp?.storefront_url ?? null;
  if (!ucp || before === storefront_url || (before !== null && !DEMO_HOME.test(before))) return;
  const pages = { storefront_url, product_url: `${base}/demo/products/{id}` };
  await api('PATCH', '/v1/settings', { ucp: { ...ucp, ...pages } }).catch(unless('validation_error'));
}

/** Starts a background rebuild of the demo tenant's search index. */
export const rebuildSearch = (base: string, adminToken: string): Promise<unknown> =>
  client(base, adminToken)('POST', `/admin/v1/tenants/${TENANT.slug}/search-rebuilds`);

function read(file: string): DemoState | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Stores the state. A .gitignore keeps the tokens out of git, wherever the folder is. */
function keep(folder: string, file: string, kept: DemoState): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.gitignore'), '*\n');
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
}

const countProducts = async (api: Client): Promise<number> =>
  (await api<{ meta: { total: number } }>('GET', '/v1/products?limit=1&status=all')).meta.total;

/** Returns whether the service at `base` accepts the token. */
export const isValid = (base: string, token: string): Promise<boolean> =>
  client(base, token)('GET', '/v1/products?limit=1').then(
    () => true,
    (error) => {
      if (error instanceof ApiError && error.status === 401) return false;
      throw error;
    },
  );

/** Creates the tenant and an application, or rotates the token of an existing application. Returns the token. */
export async function obtain(
  admin: Client,
  wanted: { name: string; kind: string; server_side?: boolean },
): Promise<string> {
  const tenants = '/admin/v1/tenants';
  await admin('POST', tenants, TENANT).catch(unless('slug_taken'));
  const applications = `${tenants}/${TENANT.slug}/applications`;
  const { data } = await admin<{ data: { id: number; name: string }[] }>('GET', `${applications}?limit=100`);
  const known = data.find((application) => application.name === wanted.name);
  const made = known
    ? await admin<{ token: string }>('POST', `${applications}/${known.id}/rotate`)
    : await admin<{ token: string }>('POST', applications, wanted);
  return made.token;
}

const unless = (code: string) => (error: unknown) => {
  if (!(error instanceof ApiError && error.code === code)) throw error;
};

/** Writes theme, categories, products and promotions; skips those that an interrupted run has written. */
async function fill(api: Client): Promise<void> {
  const [logo_url, favicon_url] = [await upload(api, drawLogo()), await upload(api, drawIcon())];
  await api('PATCH', '/v1/theme/options', { ...THEME, logo_url, favicon_url });
  const categories = new Map<string, number>();
  const tree = await api<{ data: Tree[] }>('GET', '/v1/categories');
  await fillCategories(api, CATEGORIES, null, tree.data, categories);
  const ids = new Map<string, number>();
  for (let page = 1, more = true; more; page++) {
    const list = await api<{ data: { id: number; sku: string }[] }>(
      'GET',
      `/v1/products?limit=100&page=${page}`,
    );
    for (const { id, sku } of list.data) ids.set(sku, id);
    more = list.data.length === 100;
  }
  for (const product of PRODUCTS.filter(({ sku }) => !ids.has(sku))) {
    const { alt, png } = drawPicture(product.sku);
    const made = await api<{ id: number }>('POST', '/v1/products', {
      ...body(product, categories, ids),
      images: [{ url: await upload(api, png), alt }],
    });
    ids.set(product.sku, made.id);
  }
  await fillPromotions(api);
}

/** Creates the promotions, unless the shop has some. */
async function fillPromotions(api: Client): Promise<void> {
  const { meta } = await api<{ meta: { total: number } }>('GET', '/v1/promotions?limit=1');
  if (meta.total > 0) return;
  for (const promotion of PROMOTIONS) await api('POST', '/v1/promotions', promotion);
}

/** Uploads a picture and returns its URL. The same picture again is the same image. */
async function upload(api: Client, png: Buffer): Promise<string> {
  const file = new Blob([new Uint8Array(png)], { type: 'image/png' });
  return (await api<{ url: string }>('POST', '/v1/media', file)).url;
}

interface Tree {
  readonly id: number;
  readonly name: string;
  readonly children: readonly Tree[];
}

async function fillCategories(
  api: Client,
  wanted: readonly DemoCategory[],
  parent: number | null,
  existing: readonly Tree[],
  ids: Map<string, number>,
): Promise<void> {
  for (const { name, children = [] } of wanted) {
    const known = existing.find((category) => category.name === name);
    const { id } =
      known ?? (await api<{ id: number }>('POST', '/v1/categories', { name, parent_id: parent }));
    ids.set(name, id);
    await fillCategories(api, children, id, known?.children ?? [], ids);
  }
}

const known = (ids: ReadonlyMap<string, number>, key: string): number => {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The demo shop refers to ${key}, which it has not created.`);
  return id;
};

/** The body of POST /v1/products. */
function body(
  product: DemoProduct,
  categories: ReadonlyMap<string, number>,
  ids: ReadonlyMap<string, number>,
) {
  const { in: category, variants, grouped, bundle, slots, ...plain } = product;
  return {
    ...plain,
    prices: prices(product.price),
    category_ids: [known(categories, category)],
    barcode: barcode(product.sku),
    seo: {
      title: `${product.name} · ${TENANT.name}`,
      description: product.description.replace(/<[^>]+>/g, ''),
    },
    ...(variants && {
      variants: variants.map(([attributes, price, stock]) => {
        const sku = [product.sku, ...Object.values(attributes)]
          .join('-')
          .replace(/[^A-Za-z0-9]+/g, '-')
          .toUpperCase();
        return { sku, price, prices: prices(price), stock, attributes, barcode: barcode(sku) };
      }),
    }),
    ...(grouped && {
      grouped: Object.entries(grouped).map(([sku, count]) => ({
        product_id: known(ids, sku),
        default_quantity: count,
      })),
    }),
    ...(bundle && {
      bundle_groups: bundle.map(({ items, ...group }) => ({
        ...group,
        items: items.map((sku) => ({ product_id: known(ids, sku), quantity: 1, default: group.required })),
      })),
    }),
    ...(slots && { booking: { timezone: 'Europe/Berlin', slots: comingSlots(slots) } }),
  };
}

/** Returns rounded prices in the other currencies. */
const prices = (eur: number) => ({
  USD: Math.ceil(eur * 1.1),
  GBP: Math.ceil(eur * 0.86 * 2) / 2,
  JPY: Math.ceil((eur * 162) / 100) * 100,
});

/** Returns an EAN-13 for in-store use (GS1 prefix 2), derived from the SKU. */
function barcode(sku: string): string {
  let hash = 7;
  for (const letter of sku) hash = (hash * 31 + letter.charCodeAt(0)) % 100_000_000_000;
  const digits = `2${String(hash).padStart(11, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0);
  return digits + ((10 - (sum % 10)) % 10);
}

/** Returns the next eight dates of a weekly slot; hours are in UTC. */
function comingSlots({ weekday, from, to, capacity }: NonNullable<DemoProduct['slots']>) {
  const day = new Date();
  day.setUTCHours(0, 0, 0, 0);
  day.setUTCDate(day.getUTCDate() + 1 + ((weekday - day.getUTCDay() + 6) % 7));
  return Array.from({ length: 8 }, (_, week) => {
    const at = (hour: number) => new Date(day.getTime() + (week * 7 * 24 + hour) * 3_600_000).toISOString();
    return { from: at(from), to: at(to), capacity };
  });
}
