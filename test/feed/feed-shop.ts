/** Tenants with product feeds, and the files as their readers get them. */

import { exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import { type Answer, type World, world } from '../support/world.ts';

const PRODUCT_URL = 'https://shop.example.com/p/{slug}?variant={variant_id}';
export const IMAGE = 'https://img.example.com/cup.jpg';

/** Creates a tenant whose products have pages in a shop. */
export const feedShop = (more: object = {}): Promise<World> =>
  world({ settings: { feeds: { product_url: PRODUCT_URL } }, ...more });

/** Creates a product that Google would take, unless `body` says otherwise. */
export async function listed(shop: World, body: object = {}): Promise<Answer> {
  const good = { name: 'Cup', type: 'simple', price: 10, stock: 3, images: [IMAGE], description: 'A cup.' };
  const made = await shop.post('/products', { ...good, ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made;
}

/** Creates a feed; returns its id and the path of its file. */
export async function createFeed(shop: World, format = 'jsonl'): Promise<{ id: string; path: string }> {
  const { status, body } = await shop.post('/feeds', { format });
  expect(status, JSON.stringify(body)).toBe(201);
  return { id: body.id, path: new URL(body.url).pathname };
}

/** Fetches a path without a token. */
export const fetchFile = (path: string, init: RequestInit = {}): Promise<Response> =>
  exports.default.fetch(new Request(`https://api.example.com${path}`, init));

/** Returns the UTF-8 of a response. */
export const textOf = async (response: Response): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await response.arrayBuffer());

/** Reads all items of a new JSON Lines feed. */
export async function itemsOf(shop: World): Promise<Record<string, string | string[]>[]> {
  const { path } = await createFeed(shop);
  const text = await textOf(await fetchFile(path));
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** Reads the problems of a new feed, all pages. */
export async function problemsOf(shop: World) {
  const { id } = await createFeed(shop);
  const found = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await shop.get(`/feeds/${id}/problems?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...body.data);
    cursor = body.meta.next_cursor;
    if (cursor === null) return found;
  }
}
