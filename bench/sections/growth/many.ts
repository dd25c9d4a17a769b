import { untilIndexed } from '../../calls/list-index.ts';
import { auth } from '../../calls/stall.ts';
import { coldInTurns, type Side, sideOf } from '../../calls/turns.ts';
import { contest } from '../../contest.ts';
import { ask, get } from '../../load.ts';
import type { Finding } from '../../report.ts';
import { counting, service } from '../../worker.ts';
import { type PlatformSize, platformOf } from '../../world/platform.ts';
import { copyOf, type Shop, type World, worldOf } from '../../world/world.ts';
import { productPaths } from './shards.ts';

const SMALL = 1_000;
const SIZE: PlatformSize = { tenants: 20, products: 50_000, shards: 4 };
/** Two of each tenant. */
const SAMPLES = 40;
/** How many times as long as one small tenant's a read of many large ones may take. */
const MOST = 1.2;

/** Questions that fill a page in each tenant: a page of more products would take longer by itself. */
const FILTERED = '/v1/products?limit=20&tag=wool&price_max=200&in_stock=true';
const SEARCH = '/v1/search?limit=20&q=wool%20scarf';

type Sides = readonly [one: Side, many: Side];

/** Reads of many large tenants on several shards, beside those of one small tenant on one shard. */
export async function many(): Promise<Finding[]> {
  const [small, kept] = [await worldOf(SMALL), await platformOf(SIZE)];
  // Those of the large tenants are kept: building them takes minutes.
  for (const world of [small, kept]) await buildIndexes(world);
  const platform = copyOf(kept);
  const one = await sideOf(small, `1 tenant of ${SMALL}`);
  const all: Side = {
    label: `${SIZE.tenants} tenants of ${SIZE.products}`,
    worker: await service(platform.folder, platform),
    shopOf: (sample) => shopAt(platform, sample),
  };
  try {
    return [...(await coldReads([one, all])), ...(await hotReads([one, all], platform))];
  } finally {
    await one.worker.stop();
    await all.worker.stop();
  }
}

const shopAt = ({ shops }: World, place: number): Shop => shops[place % shops.length] ?? shops[0];

/** Builds the list indexes of all shops, which are stored with their data. */
async function buildIndexes(world: World): Promise<void> {
  const worker = await counting(world.folder, world);
  try {
    for (const shop of world.shops.filter(({ products }) => products >= SMALL))
      await untilIndexed(worker, shop);
  } finally {
    await worker.stop();
  }
}

async function coldReads(sides: Sides): Promise<Finding[]> {
  const rows = await coldInTurns({
    sides,
    samples: SAMPLES,
    warmUps: SIZE.tenants,
    paths: async (side, sample) => {
      const products = await productPaths(side, sample);
      // A list index in use stays in memory; the local runtime evicts each object after ten idle seconds.
      await ask(side.worker, `${FILTERED}&price_min=${sample / 100}`, auth(side.shopOf(sample).token));
      return {
        'a product': products[sample % products.length] ?? '',
        'a list': '/v1/products?limit=20',
        'a filtered list': FILTERED,
        'a search for two common words': SEARCH,
        'a search for a SKU': `/v1/search?limit=20&q=SKU-${String(sample * 7).padStart(6, '0')}`,
      };
    },
  });
  return rows.map(({ name, ratio }) => ({
    measure: `${name}, cold: ${sides[1].label} to ${sides[0].label}`,
    reach: `≤ ${MOST} times`,
    figure: `${ratio.toFixed(2)} times`,
    reached: ratio <= MOST,
  }));
}

/** Hot products of all tenants, each asked by applications of its own. */
async function hotReads([one, all]: Sides, platform: World): Promise<Finding[]> {
  const own = await productPaths(one);
  const pathsOf = new Map<string, string[]>();
  for (const [place, { load }] of platform.shops.entries()) {
    const paths = await productPaths(all, place);
    for (const token of load) pathsOf.set(token, paths);
  }
  const applications = Math.max(...platform.shops.map(({ load }) => load.length));
  // One application of each tenant after the other, so that all tenants are asked however few are busy.
  const tokens = Array.from({ length: applications }, (_, n) =>
    platform.shops.flatMap(({ load }) => load[n] ?? []),
  ).flat();
  const requests = (paths: readonly string[], token: string) => paths.map((path) => get(path, auth(token)));
  return contest({
    name: `GET /v1/products/{id}, ${all.label}`,
    ours: all.worker,
    baselines: [
      {
        name: one.label,
        worker: one.worker,
        requests: one.shopOf(0).load.flatMap((token) => requests(own, token)),
        reach: Number((1 / MOST).toFixed(2)),
      },
    ],
    requests: (busy) => busy.flatMap((token) => requests(pathsOf.get(token) ?? [], token)),
    tokens,
    allBusy: true,
  });
}
