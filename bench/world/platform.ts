import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { service } from '../worker.ts';
import { createDatabases, databaseFiles, shardOf } from './databases.ts';
import { filler } from './filler.ts';
import type { Filling } from './filling.ts';
import type { Share } from './filling-thread.ts';
import { createShop, fillingOf, LOAD_APPLICATIONS, type Shop, stored, type World } from './world.ts';

/** A platform of tenants of one size. */
export interface PlatformSize {
  readonly tenants: number;
  /** Products of each tenant. */
  readonly products: number;
  readonly shards: number;
}

/** Returns a world with these tenants, spread evenly over the shards: a stored one, else a new one. */
export const platformOf = (size: PlatformSize): Promise<World> =>
  stored(`${size.tenants}x${size.products}-on-${size.shards}`, (folder) => makePlatform(folder, size));

async function makePlatform(folder: string, { tenants, products, shards }: PlatformSize): Promise<World> {
  await createDatabases(folder, shards);
  const worker = await service(folder, { shards });
  const begun = performance.now();
  const shops: Shop[] = [];
  let fillings: Filling[];
  try {
    const applications = Math.ceil(LOAD_APPLICATIONS / tenants);
    for (let n = 1; n <= tenants; n++) {
      shops.push(await createShop(worker, { slug: `shop-${n}`, products, applications }));
    }
    fillings = await Promise.all(shops.map((shop) => fillingOf(worker, shop, 3)));
  } finally {
    await worker.stop();
  }
  console.log(`${tenants} tenants made after ${Math.round((performance.now() - begun) / 1000)} s`);
  await fillShards(folder, fillings);
  console.log(`and filled after ${Math.round((performance.now() - begun) / 1000)} s`);
  const [first, ...others] = shops;
  if (!first) throw new Error('A platform has at least one tenant');
  return { folder, shards, shops: [first, ...others] };
}

/** Fills the shards side by side, as many at once as there are cores: a file has one writer. */
async function fillShards(folder: string, fillings: readonly Filling[]): Promise<void> {
  const { file: module } = await filler();
  const byShard = Map.groupBy(fillings, ({ tenantId }) => shardOf(folder, tenantId));
  const waiting = [...byShard].values();
  const fillNext = async () => {
    for (const [shard, own] of waiting) {
      const files = databaseFiles(folder, shard);
      const share: Share = { module, fillings: own.map((filling) => ({ files, filling })) };
      const thread = new Worker(join(import.meta.dirname, 'filling-thread.ts'), { workerData: share });
      await once(thread, 'message');
      await thread.terminate();
      console.log(`${shard} has its ${own.length} tenants`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, fillNext));
}
