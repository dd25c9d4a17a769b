import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { runImport } from '../../src/imports/run/run-import.ts';
import { tenantContext } from '../../src/kernel/data/tenant-context.ts';
import type { Answer, World } from '../support/world.ts';

export const ctx = { waitUntil: () => {} };

/** Sends a file and answers the import's id. */
export async function upload(shop: World, file: BodyInit, query = ''): Promise<string> {
  const sent = await shop.post(`/imports/products${query}`, undefined, {
    raw: file,
    headers: { 'content-type': 'text/csv' },
  });
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  return sent.body.id;
}

/** Imports a file and answers what came of it, once it is over. */
export async function importFile(shop: World, file: BodyInit, query = ''): Promise<Answer['body']> {
  return finish(shop, await upload(shop, file, query));
}

/** Drives an import to its end. The queue drives it as well, which must not matter. */
export async function finish(shop: World, importId: string): Promise<Answer['body']> {
  for (let turn = 0; turn < 500; turn++) {
    while (await runImport(tenantContext({ env, ctx }, shop.tenantId), importId));
    const { body } = await shop.get(`/imports/${importId}`);
    if (body.status === 'done' || body.status === 'failed') return body;
    await scheduler.wait(10);
  }
  throw new Error('The import does not come to an end');
}

const BACK_OFFICE = 'status=all&limit=100&include=variants,categories';

/** All products of a shop by slug, as a back office lists them now. */
export async function list(shop: World): Promise<Record<string, Answer['body']>> {
  const found: Record<string, Answer['body']> = {};
  const fresh = { headers: { 'x-catalog-version': String(await catalogVersion(shop)) } };
  for (let page = 1; ; page++) {
    const { body } = await shop.get(`/products?${BACK_OFFICE}&page=${page}`, fresh);
    for (const product of body.data) found[product.slug] = product;
    if (page >= body.meta.total_pages) return found;
  }
}

/** The same, with everything that is known of each product. */
export async function products(shop: World): Promise<Record<string, Answer['body']>> {
  const fresh = { headers: { 'x-catalog-version': String(await catalogVersion(shop)) } };
  const details = Object.entries(await list(shop)).map(async ([slug, { id }]) => {
    const { body } = await shop.get(`/products/${id}?status=all`, fresh);
    return [slug, body] as const;
  });
  return Object.fromEntries(await Promise.all(details));
}

const one = async (query: string, tenantId: number): Promise<number> =>
  (await env.DB.prepare(query).bind(tenantId).first<number>('n')) ?? 0;

/** The tenant's catalogue version. */
export const catalogVersion = ({ tenantId }: World): Promise<number> =>
  one('SELECT catalog_version AS n FROM tenants WHERE id = ?', tenantId);

/** How many events the tenant has had. */
export const events = ({ tenantId }: World): Promise<number> =>
  one('SELECT count(*) AS n FROM outbox WHERE tenant_id = ?', tenantId);

/** How much of its files is kept. */
export const leftovers = async ({ tenantId }: World): Promise<number> =>
  (await one('SELECT count(*) AS n FROM import_chunks WHERE tenant_id = ?', tenantId)) +
  (await one('SELECT count(*) AS n FROM import_products WHERE tenant_id = ?', tenantId));

/** What can be sold of each SKU, by the truth; what a list says may lag behind. */
export async function stock({ tenantId }: World): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    'SELECT sku, on_hand - reserved AS stock FROM inventory_items WHERE tenant_id = ? AND deleted = 0',
  )
    .bind(tenantId)
    .all<{ sku: string; stock: number }>();
  return Object.fromEntries(results.map((item) => [item.sku, item.stock]));
}
