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
import { type Client, client } from '../../scripts/dev/client.ts';
import { type Measured, service, VARS } from '../worker.ts';
import { createDatabases, databaseFiles, shardOf } from './databases.ts';
import { filler } from './filler.ts';
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
  readonly shards: number;
  readonly shops: readonly [Shop, ...Shop[]];
}

/** The copies of stored worlds that this process uses. */
const copies = new Map<string, Promise<World>>();

/**
 * Returns the world with this many products on this many shards, in a temporary folder that all sections of a run
 * share: none changes the stored one, and where temporary files are in memory, none waits for a disk.
 */
export function worldOf(products: number, shards = 1): Promise<World> {
  const name = shards === 1 ? `${products}` : `${products}-on-${shards}`;
  const copy = copies.get(name) ?? stored(name, (folder) => makeWorld(folder, products, shards)).then(copyOf);
  copies.set(name, copy);
  return copy;
}

/** Returns a copy of a stored world in a temporary folder, which is deleted when the process ends. */
export function copyOf(original: World): World {
  const folder = mkdtempSync(join(tmpdir(), 'bench-world-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  cpSync(original.folder, folder, { recursive: true });
  return { ...original, folder };
}

/** Returns the stored world of this name if this working tree would create the same one; else a new one. */
export async function stored(name: string, make: (folder: string) => Promise<World>): Promise<World> {
  const all = join(root, '.wrangler/bench');
  const { fingerprint } = await filler();
  const folder = join(all, `${name}-${fingerprint}`);
  const file = join(folder, 'world.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  mkdirSync(all, { recursive: true });
  const isOld = (one: string): boolean => one.slice(0, -fingerprint.length) === `${name}-`;
  for (const old of readdirSync(all).filter(isOld)) rmSync(join(all, old), { recursive: true });
  const world = await make(folder);
  writeFileSync(file, JSON.stringify(world));
  return world;
}

/** Creates a world in a folder. */
export async function makeWorld(folder: string, products: number, shards = 1): Promise<World> {
  const { world, fillings } = await makeShops(folder, products, shards);
  const { fill } = await filler();
  for (const filling of fillings)
    await fill(databaseFiles(folder, shardOf(folder, filling.tenantId)), filling);
  return world;
}

/** A world whose shops are still without products, and what to fill them with, in the order of its shops. */
export interface EmptyWorld {
  readonly world: World;
  readonly fillings: readonly [Filling, ...Filling[]];
}

/**
 * Creates the shops of a world through the API, with their applications and categories. The first one is made second,
 * so that it is on the second shard where there are two.
 */
export async function makeShops(folder: string, products: number, shards = 1): Promise<EmptyWorld> {
  await createDatabases(folder, shards);
  const worker = await service(folder, { shards });
  try {
    const north = await createShop(worker, { slug: 'north', products: 200 });
    const main = await createShop(worker, { slug: 'main', products, applications: LOAD_APPLICATIONS });
    const others = [north];
    for (const slug of ['east', 'south', 'west'])
      others.push(await createShop(worker, { slug, products: 200 }));
    const rest: Filling[] = [];
    const first = await fillingOf(worker, main, 6);
    for (const other of others) rest.push(await fillingOf(worker, other, 2));
    return { world: { folder, shards, shops: [main, ...others] }, fillings: [first, ...rest] };
  } finally {
    await worker.stop();
  }
}

/** Applications that are created at once. */
const AT_ONCE = 12;
/** Applications among which load is spread: each may send 100 requests a second. */
export const LOAD_APPLICATIONS = 120;

/** A shop to create. */
interface NewShop {
  readonly slug: string;
  readonly products: number;
  /** How many applications it has for load. */
  readonly applications?: number;
}

/**
 * Creates a tenant with its applications. It gets the enterprise plan, whose limits are the highest, only then: new
 * tenants of that plan get a shard of their own.
 */
export async function createShop(
  worker: Measured,
  { slug, products, applications = 0 }: NewShop,
): Promise<Shop> {
  const admin = client(worker.url.origin, VARS.SUPER_ADMIN_TOKEN);
  const tenants = '/admin/v1/tenants';
  await admin('POST', tenants, { slug, name: slug, currency: CURRENCY, plan: 'growth' });
  await admin('PATCH', `${tenants}/${slug}`, { plan: 'enterprise' });
  const application = async (name: string, kind: string) =>
    (await admin<{ token: string }>('POST', `${tenants}/${slug}/applications`, { name, kind })).token;
  const token = await application('all', 'integration');
  const load: string[] = [];
  while (load.length < applications) {
    const count = Math.min(AT_ONCE, applications - load.length);
    const names = Array.from({ length: count }, (_, n) => `load ${load.length + n}`);
    load.push(...(await Promise.all(names.map((name) => application(name, 'storefront')))));
  }
  const tenantId = Number(/^sfe_live_(\d+)-/.exec(token)?.[1]);
  return { slug, tenantId, token, load, products };
}

/** Creates a shop's categories, `fan` below each other one. Returns what to fill the shop with. */
export async function fillingOf({ url }: Measured, shop: Shop, fan: number): Promise<Filling> {
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
