/** An import from another deployment brings ids and positions that shards of this one may not have given yet. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { POSITION_STEP } from '../../src/kernel/data/ids.ts';
import { NUMBERED } from '../../src/transfer/claim-numbers.ts';
import { TRANSFERRED_TABLES } from '../../src/transfer/transferred-tables.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { runMove, shardNamed, startMove } from '../support/shards/moving.ts';
import { shopOn } from '../support/shards/rows.ts';
import { admin, type World, world } from '../support/world.ts';
import { activate, exportAll, headerNow, suspend } from '../transfer/transferring.ts';

/** A shop on the first shard, suspended, and one on the second that another deployment's data will meet. */
async function twoShops(): Promise<{ shop: World; other: World }> {
  const shop = await shopOn('SHARD_01', () => world());
  return { shop, other: await shopOn('SHARD_02', () => world()) };
}

const importInto = async (shop: World, records: object[]) =>
  admin('PUT', `/tenants/${shop.slug}/import`, { header: await headerNow(shop.slug), records });

/** Returns the rows that a tenant has in a table, as an export shows them. */
const exported = async (shop: World, table: string) =>
  (await exportAll(shop.slug)).records.filter((record) => record.table === table);

it('keeps the other shard from giving an imported id, so that the tenant can be moved there', async () => {
  const { shop, other } = await twoShops();
  await shop.post('/categories', { name: 'Maps' });
  const latest = (await other.post('/categories', { name: 'Atlases' })).body.id;
  await suspend(shop);
  const [own] = await exported(shop, 'categories');
  const row = { ...own?.row, id: latest + 50, slug: 'imported' };
  for (let call = 0; call < 2; call++)
    expect((await importInto(shop, [{ table: 'categories', row }])).status).toBe(200);
  const later = await Promise.all(
    ['Globes', 'Charts', 'Plans'].map((name) => other.post('/categories', { name })),
  );
  expect(Math.min(...later.map(({ body }) => body.id))).toBeGreaterThan(latest + 50);
  await activate(shop);
  expect((await runMove(shop, await startMove(shop))).state).toBe('switched');
  const moved = shardNamed('SHARD_02').prepare('SELECT slug FROM categories WHERE tenant_id = ? AND id = ?');
  expect(await moved.bind(shop.tenantId, latest + 50).first('slug')).toBe('imported');
});

it('keeps the other shard from giving an imported position', async () => {
  const { shop, other } = await twoShops();
  await Promise.all([createProduct(shop), createProduct(other)]);
  await suspend(shop);
  const latest = await shardNamed('SHARD_02')
    .prepare('SELECT max(position) AS position FROM outbox')
    .first<number>('position');
  const position = (latest ?? 0) + 100 * POSITION_STEP;
  const [event] = await exported(shop, 'outbox');
  const row = { ...event?.row, position, id: crypto.randomUUID() };
  expect((await importInto(shop, [{ table: 'outbox', row }])).status).toBe(200);
  await createProduct(other);
  const { results } = await shardNamed('SHARD_02')
    .prepare('SELECT position FROM outbox WHERE tenant_id = ? AND position > ?')
    .bind(other.tenantId, latest)
    .all<{ position: number }>();
  expect(results.length).toBeGreaterThan(0);
  expect(Math.min(...results.map((one) => one.position))).toBeGreaterThan(position);
});

it.each([
  ['variants', 'id'],
  ['stock_movements', 'id'],
  ['outbox', 'position'],
])('refuses a row of %s whose number another tenant has on the other shard', async (table, column) => {
  const { shop, other } = await twoShops();
  const variants = [{ sku: 'A', price: 1, stock: 3, attributes: { size: 'M' } }];
  const tee = () => ({ name: 'Tee', type: 'configurable', variants });
  for (const one of [shop, other]) {
    await createProduct(one, tee());
    await one.post('/inventory/adjustments', { items: [{ sku: 'A', delta: 1 }] });
  }
  await suspend(shop);
  const [own] = await exported(shop, table);
  const [theirs] = await exported(other, table);
  const row = { ...own?.row, [column]: theirs?.row[column] ?? 'none' };
  expect((await importInto(shop, [{ table, row }])).body.code).toBe('conflict');
});

it('knows every table whose rows a number names over all shards', async () => {
  const onShards = TRANSFERRED_TABLES.filter(({ inDirectory }) => !inDirectory).map(({ name }) => name);
  const infos = await env.DB.batch<{ name: string; type: string; pk: number }>(
    onShards.map((name) => env.DB.prepare(`PRAGMA table_info(${name})`)),
  );
  const numbered = onShards.filter((_, n) => {
    const keys = infos[n]?.results.filter(({ pk }) => pk > 0) ?? [];
    return keys.length === 1 && keys[0]?.type === 'INTEGER' && keys[0].name !== 'tenant_id';
  });
  expect(numbered.sort()).toEqual(Object.keys(NUMBERED).sort());
});
