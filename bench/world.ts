import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, client } from '../scripts/client.ts';
import { migrate } from '../scripts/server.ts';
import type { Filling, Indexing } from './filling.ts';
import { counting, type Measured, tool, VARS } from './worker.ts';

const root = join(import.meta.dirname, '..');

const CURRENCY = 'EUR';

/** A tenant of a world, with its tokens. */
export interface Shop {
  readonly slug: string;
  readonly tenantId: number;
  /** A token of an application that may do everything, and tokens for load. */
  readonly token: string;
  readonly load: readonly string[];
  readonly products: number;
}

/** Benchmark data: five tenants, the first with `products` products, the others with 200 each. */
export interface World {
  readonly folder: string;
  readonly shops: readonly [Shop, ...Shop[]];
}

/** The files that determine a world's rows. */
const MADE_BY = [
  'migrations/main',
  'migrations/search',
  'src/catalog',
  'src/inventory',
  'src/search',
  'bench',
];

/** Changes when one of the files behind {@link MADE_BY} does; of bench, only those that make the rows. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const folder of MADE_BY) {
    for (const file of readdirSync(join(root, folder)).sort()) {
      const counts = folder === 'bench' ? /^(catalogue|filling|world)\.ts$/ : /\.(ts|sql)$/;
      if (counts.test(file)) hash.update(readFileSync(join(root, folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 12);
}

/** Returns the world with this many products: a stored one, else a new one, which takes minutes for large sizes. */
export async function worldOf(products: number): Promise<World> {
  const all = join(root, '.wrangler/bench');
  const name = `${products}-${fingerprint()}`;
  const file = join(all, name, 'world.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  mkdirSync(all, { recursive: true });
  for (const old of readdirSync(all).filter((one) => one.startsWith(`${products}-`))) {
    rmSync(join(all, old), { recursive: true });
  }
  const world = await makeWorld(join(all, name), products);
  writeFileSync(file, JSON.stringify(world));
  return world;
}

/** Creates a world in a folder. */
export async function makeWorld(folder: string, products: number): Promise<World> {
  await migrate(folder);
  const worker = await counting(folder);
  try {
    const first = await shop(worker, 'main', products);
    const others: Shop[] = [];
    for (const slug of ['north', 'east', 'south', 'west']) others.push(await shop(worker, slug, 200));
    return { folder, shops: [first, ...others] };
  } finally {
    await worker.stop();
  }
}

/** Creates a tenant with its applications, categories and products. */
async function shop(worker: Measured, slug: string, products: number): Promise<Shop> {
  const admin = client(worker.url.origin, VARS.SUPER_ADMIN_TOKEN);
  const tenants = '/admin/v1/tenants';
  await admin('POST', tenants, { slug, name: slug, currency: CURRENCY, plan: 'enterprise' });
  const application = (name: string, kind: string) =>
    admin<{ token: string }>('POST', `${tenants}/${slug}/applications`, { name, kind });
  const { token } = await application('all', 'integration');
  const load: string[] = [];
  while (slug === 'main' && load.length < 120)
    load.push((await application(`load ${load.length}`, 'storefront')).token);
  const tenantId = Number(/^sfe_live_(\d+)-/.exec(token)?.[1]);
  const categories = await leaves(client(worker.url.origin, token), slug === 'main' ? 6 : 2);
  await fill(worker, { seed: tenantId, from: 0, count: products, tenantId, currency: CURRENCY, categories });
  return { slug, tenantId, token, load, products };
}

/** Creates three levels of categories, each with `fan` children, and returns the ids of the leaves. */
async function leaves(api: Client, fan: number): Promise<number[]> {
  const made = async (name: string, parent: number | null) =>
    (await api<{ id: number }>('POST', '/v1/categories', { name, parent_id: parent })).id;
  const ids: number[] = [];
  for (let a = 1; a <= fan; a++) {
    const top = await made(`Family ${a}`, null);
    for (let b = 1; b <= fan; b++) {
      const middle = await made(`Group ${a}.${b}`, top);
      for (let c = 1; c <= fan; c++) ids.push(await made(`Shelf ${a}.${b}.${c}`, middle));
    }
  }
  return ids;
}

/** Products per batch, limited by the size of one round trip. */
const AT_ONCE = 100;

async function fill(worker: Measured, filling: Filling): Promise<void> {
  for (let from = 0; from < filling.count; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, filling.count - from);
    await tool<unknown>(worker, 'fill', { ...filling, from, count });
    reportProgress(`${from + count} of ${filling.count} products`);
  }
  let state: Indexing = { tenantId: filling.tenantId };
  while (state.cursor !== null) {
    state = await tool<Indexing>(worker, 'index', state);
    reportProgress(`Indexing: ${state.cursor?.phase} ${state.cursor?.after}`);
  }
  reportProgress('');
}

/** Prints progress. */
function reportProgress(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progress}`);
}
