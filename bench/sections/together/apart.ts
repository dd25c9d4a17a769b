import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tillOf } from '../../calls/till.ts';
import { type Finding, percentile } from '../../report.ts';
import { apart as startApart } from '../../worker.ts';
import { copyOf, makeWorld, type Shop, type World } from '../../world/world.ts';
import { hotSku } from '../writes/hot-sku.ts';
import { play, stormFiles } from './storm.ts';

/**
 * What one tenant's load costs another that shares nothing with it but a shard: each tenant's objects and isolates
 * have a process of their own, as the databases have, as all of these have threads of their own on the platform.
 */
export async function apart(): Promise<Finding[]> {
  const world = await makeWorld(mkdtempSync(join(tmpdir(), 'bench-apart-')), 0);
  const [shop, neighbour] = world.shops;
  if (!neighbour) throw new Error('The world has too few shops');
  const changes = await besideHotSku(world, shop, neighbour);
  const stormy = await startApart(copyOf(world).folder);
  try {
    const till = await tillOf(stormy.calm, neighbour);
    const storm = await play({ worker: stormy.busy, stormy: shop, till }, stormFiles());
    const [quiet, slow] = [percentile(storm.quiet, 0.5), percentile(storm.beside, 0.5)];
    const p99 = percentile(storm.beside, 0.99) / percentile(storm.quiet, 0.99);
    return [
      ...changes,
      {
        measure: 'orders beside imports of another tenant, to quiet: p50, p99',
        reach: 'reported',
        figure: `${(slow / quiet).toFixed(2)}, ${p99.toFixed(2)} (${slow.toFixed(1)} to ${quiet.toFixed(1)} ms; ${storm.productsPerSecond.toFixed(0)} products a second, ${storm.beside.length} orders)`,
        reached: null,
      },
    ];
  } finally {
    await stormy.stop();
  }
}

/** One tenant's changes of a SKU beside another, which shares the databases or has its own. */
async function besideHotSku(world: World, shop: Shop, neighbour: Shop): Promise<Finding[]> {
  const [shared, own] = [await startApart(copyOf(world).folder), await startApart(copyOf(world).folder)];
  try {
    return await hotSku({ ...shared, shop, neighbour, elsewhere: own.calm });
  } finally {
    await shared.stop();
    await own.stop();
  }
}
