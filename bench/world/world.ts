import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, client } from '../../scripts/client.ts';
import { migrate } from '../../scripts/server.ts';
import { type Measured, service, VARS } from '../worker.ts';
import { databaseFiles, filler } from './filler.ts';
import type { Filling } from './filling.ts';

const root = join(import.meta.dirname, '../..');

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

/** The copies of stored worlds that this process uses. */
const copies = new Map<number, Promise<World>>();

/**
 * Returns the world with this many products, in a temporary folder that all sections of a run share: none changes the
 * stored one, and where temporary files are in memory, none waits for a disk.
 */
export function worldOf(products: number): Promise<World> {
  const copy = copies.get(products) ?? copyOf(products);
  copies.set(products, copy);
  return copy;
}

async function copyOf(products: number): Promise<World> {
  const stored = await storedWorld(products);
  const folder = mkdtempSync(join(tmpdir(), 'bench-world-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  cpSync(stored.folder, folder, { recursive: true });
  return { ...stored, folder };
}

/** Returns the stored world with this many products, which is made first where there is none. */
async function storedWorld(products: number): Promise<World> {
  const all = join(root, '.wrangler/bench');
  const name = `${products}-${(await filler()).fingerprint}`;
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
  const { world, fillings } = await makeShops(folder, products);
  const { fill } = await filler();
  for (const filling of fillings) await fill(databaseFiles(folder), filling);
  return world;
}

/** A world whose shops are still without products, and what to fill them with, in the order of its shops. */
export interface EmptyWorld {
  readonly world: World;
  readonly fillings: readonly [Filling, ...Filling[]];
}

/** Creates the shops of a world through the API, with their applications and categories. */
export async function makeShops(folder: string, products: number): Promise<EmptyWorld> {
  await migrate(folder);
  const worker = await service(folder);
  try {
    const main = await shop(worker, 'main', products);
    const others: Shop[] = [];
    for (const slug of ['north', 'east', 'south', 'west']) others.push(await shop(worker, slug, 200));
    const rest: Filling[] = [];
    const first = await filling(worker, main, 6);
    for (const other of others) rest.push(await filling(worker, other, 2));
    return { world: { folder, shops: [main, ...others] }, fillings: [first, ...rest] };
  } finally {
    await worker.stop();
  }
}

/** Applications that are created at once. */
const AT_ONCE = 12;
const LOAD_TOKENS = 120;

/** Creates a tenant with its applications. */
async function shop(worker: Measured, slug: string, products: number): Promise<Shop> {
  const admin = client(worker.url.origin, VARS.SUPER_ADMIN_TOKEN);
  const tenants = '/admin/v1/tenants';
  await admin('POST', tenants, { slug, name: slug, currency: CURRENCY, plan: 'enterprise' });
  const application = async (name: string, kind: string) =>
    (await admin<{ token: string }>('POST', `${tenants}/${slug}/applications`, { name, kind })).token;
  const token = await application('all', 'integration');
  const load: string[] = [];
  while (slug === 'main' && load.length < LOAD_TOKENS) {
    const names = Array.from({ length: AT_ONCE }, (_, n) => `load ${load.length + n}`);
    load.push(...(await Promise.all(names.map((name) => application(name, 'storefront')))));
  }
  const tenantId = Number(/^sfe_live_(\d+)-/.exec(token)?.[1]);
  return { slug, tenantId, token, load, products };
}

/** Creates a shop's categories, `fan` below each other one. Returns what to fill the shop with. */
async function filling({ url }: Measured, shop: Shop, fan: number): Promise<Filling> {
  const { token, tenantId, products } = shop;
  const categories = await leaves(client(url.origin, token), fan);
  return { seed: tenantId, count: products, tenantId, currency: CURRENCY, categories };
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
