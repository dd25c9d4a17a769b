import type { Client } from '../dev/client.ts';
import { drawPicture } from '../pictures/index.ts';
import { drawIcon, drawLogo } from '../pictures/logo.ts';
import { CATEGORIES, type DemoCategory, PRODUCTS, PROMOTIONS, THEME } from './index.ts';
import { productBody } from './product-body.ts';

/**
 * Writes theme, categories, promotions and products; skips those that an interrupted run has written. The products
 * come last: `openDemo` takes a shop with all of them as filled.
 */
export async function fillShop(api: Client): Promise<void> {
  const [logo_url, favicon_url] = [await upload(api, drawLogo()), await upload(api, drawIcon())];
  await api('PATCH', '/v1/theme/options', { ...THEME, logo_url, favicon_url });
  const categories = new Map<string, number>();
  const tree = await api<{ data: Tree[] }>('GET', '/v1/categories');
  await fillCategories(api, { wanted: CATEGORIES, existing: tree.data, parent: null }, categories);
  await fillPromotions(api);
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
      ...productBody(product, categories, ids),
      images: [{ url: await upload(api, png), alt }],
    });
    ids.set(product.sku, made.id);
  }
}

/** Creates the promotions that are missing, by name. */
async function fillPromotions(api: Client): Promise<void> {
  const { data } = await api<{ data: { name: string }[] }>('GET', '/v1/promotions?limit=100');
  const names = new Set(data.map(({ name }) => name));
  for (const promotion of PROMOTIONS.filter(({ name }) => !names.has(name))) {
    await api('POST', '/v1/promotions', promotion);
  }
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

/** Categories with the same parent. */
interface Level {
  readonly wanted: readonly DemoCategory[];
  readonly existing: readonly Tree[];
  readonly parent: number | null;
}

/** Creates categories below a parent, unless they are there, and adds their ids by name. */
async function fillCategories(
  api: Client,
  { wanted, existing, parent }: Level,
  ids: Map<string, number>,
): Promise<void> {
  for (const { name, children = [] } of wanted) {
    const stored = existing.find((category) => category.name === name);
    const { id } =
      stored ?? (await api<{ id: number }>('POST', '/v1/categories', { name, parent_id: parent }));
    ids.set(name, id);
    await fillCategories(api, { wanted: children, existing: stored?.children ?? [], parent: id }, ids);
  }
}
