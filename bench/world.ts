import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, run, SERVICE, type Source } from '../scripts/bundle.ts';
import { type Client, client } from '../scripts/client.ts';
import { migrate } from '../scripts/server.ts';
import type { Filling } from './filling.ts';
import type { Address } from './load.ts';
import { cpuSeconds, memory, workerds } from './process.ts';

const root = join(import.meta.dirname, '..');

/** The same in every run, so that the tokens of a kept world stay good. */
const VARS = {
  SUPER_ADMIN_TOKEN: 'bench-super-admin-token-0000000000000000',
  MASTER_KEY_V1: 'YmVuY2gtbWFzdGVyLWtleS1iZW5jaC1tYXN0ZXIta2V5',
};
const CURRENCY = 'EUR';

const BARE: Source = { entry: 'bench/bare.ts', config: 'bench/bare.toml' };
const COUNTING: Source = { entry: 'bench/entry.ts', config: 'wrangler.toml' };

/** A Worker in a workerd process of its own, with that process's figures. */
export interface Measured extends Running {
  readonly address: Address;
  /** Seconds of CPU so far; NaN where there is no /proc. */
  cpu(): number;
  /** Resident memory in MiB; NaN where there is no /proc. */
  memory(): number;
}

async function measured(source: Source, name: string, folder?: string): Promise<Measured> {
  const before = workerds();
  const running = await run(source, name, VARS, folder);
  const pid = workerds().find((one) => !before.includes(one)) ?? Number.NaN;
  return {
    ...running,
    address: { host: running.url.hostname, port: Number(running.url.port) },
    cpu: () => cpuSeconds(pid),
    memory: () => memory(pid),
  };
}

/** One tenant of a world, and how to call it. */
export interface Shop {
  readonly slug: string;
  readonly tenantId: number;
  /** A token of an application that may do everything, and tokens for load. */
  readonly token: string;
  readonly load: readonly string[];
  readonly products: number;
}

/** A folder of data: five tenants, the first of which has `products` products, the others 200 each. */
export interface World {
  readonly folder: string;
  readonly shops: readonly [Shop, ...Shop[]];
}

export const bare = (): Promise<Measured> => measured(BARE, 'bare');
export const service = (world: World): Promise<Measured> => measured(SERVICE, 'worker', world.folder);
export const counting = (world: World): Promise<Measured> => measured(COUNTING, 'counting', world.folder);

/** Changes when anything does that decides what a world's rows look like. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const folders = [
    'bench',
    'migrations/main',
    'migrations/search',
    'src/catalog',
    'src/inventory',
    'src/search',
  ];
  for (const folder of folders.filter((one) => existsSync(join(root, one)))) {
    for (const file of readdirSync(join(root, folder))
      .filter((name) => /\.(ts|sql)$/.test(name))
      .sort()) {
      if (folder !== 'bench' || /^(catalogue|filling|world)/.test(file)) {
        hash.update(readFileSync(join(root, folder, file)));
      }
    }
  }
  return hash.digest('hex').slice(0, 12);
}

/** The world with so many products: a kept one, else it is made, which takes minutes for a large one. */
export async function worldOf(products: number): Promise<World> {
  const folder = join(root, '.wrangler/bench', `${products}-${fingerprint()}`);
  const file = join(folder, 'world.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await migrate(folder);
  const worker = await measured(COUNTING, 'counting', folder);
  try {
    const shops: Shop[] = [];
    for (const slug of ['main', 'north', 'east', 'south', 'west']) {
      shops.push(await shop(worker, slug, slug === 'main' ? products : 200));
    }
    const [first, ...others] = shops;
    if (!first) throw new Error('A world has a shop');
    const world: World = { folder, shops: [first, ...others] };
    writeFileSync(file, JSON.stringify(world));
    return world;
  } finally {
    await worker.stop();
  }
}

/** A tenant with its applications, categories and products. */
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

/** `fan` families of `fan` categories with `fan` below each; answers the ids of the last. */
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

/** How many products go into one batch: enough to be quick, few enough for one round trip. */
const AT_ONCE = 100;

async function fill(worker: Measured, filling: Filling): Promise<void> {
  for (let from = 0; from < filling.count; from += AT_ONCE) {
    const some: Filling = { ...filling, from, count: Math.min(AT_ONCE, filling.count - from) };
    const answer = await fetch(new URL('/bench/fill', worker.url), {
      method: 'POST',
      body: JSON.stringify(some),
    });
    if (!answer.ok) throw new Error(`Filling failed at ${from}: ${await answer.text()}`);
    if (process.stderr.isTTY) process.stderr.write(`\r${from + some.count} of ${filling.count} products`);
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
