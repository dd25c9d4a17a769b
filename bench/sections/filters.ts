import { bump } from '../cold.ts';
import type { Counts } from '../counting.ts';
import { ask } from '../load.ts';
import { type Finding, median, table } from '../report.ts';
import { counting, type Measured, service, tool } from '../worker.ts';
import { type Shop, worldOf } from '../world.ts';

const WARM_UPS = 5;
const SAMPLES = 40;
const PLAIN = '/v1/products?limit=20';
const FACETS = 'facets=price,vendor,tag,attr.color';

/** Questions with three filters and four facets: few, hundreds or thousands of products meet a filter. */
const QUESTIONS: Readonly<Record<string, string>> = {
  selective: `${PLAIN}&vendor=Maker%2012&tag=wool&price_max=200&${FACETS}`,
  'by attribute': `${PLAIN}&attr.color=Moss&tag=wool&price_max=200&${FACETS}`,
  loose: `${PLAIN}&tag=wool,oak&in_stock=true&price_max=200&${FACETS}`,
  'facets of all products': `${PLAIN}&${FACETS}`,
};

/** Cold and hot filtered lists beside a plain one. */
export async function filters(products: number): Promise<Finding[]> {
  const world = await worldOf(products);
  const [shop] = world.shops;
  const worker = await service(world.folder);
  const cold: Record<string, number[]> = {};
  const hot: Record<string, number[]> = {};
  try {
    for (let sample = -WARM_UPS; sample < SAMPLES; sample++) {
      const headers = await bump(worker, shop);
      for (const [name, path] of Object.entries({ plain: PLAIN, ...QUESTIONS })) {
        const [first, again] = [await timed(worker, path, headers), await timed(worker, path, headers)];
        if (sample < 0) continue;
        cold[name] = [...(cold[name] ?? []), first];
        hot[name] = [...(hot[name] ?? []), again];
      }
    }
  } finally {
    await worker.stop();
  }
  return report({ products, cold, hot, rows: await rowsRead(world.folder, shop) });
}

async function timed(worker: Measured, path: string, headers: Record<string, string>): Promise<number> {
  const { ms, status, body } = await ask(worker, path, headers);
  if (status !== 200) throw new Error(`${path} answered ${status} ${body}`);
  return ms;
}

/** Returns the rows that each question reads. */
async function rowsRead(folder: string, shop: Shop): Promise<Record<string, number>> {
  const worker = await counting(folder);
  const read: Record<string, number> = {};
  try {
    for (const [name, path] of Object.entries({ plain: PLAIN, ...QUESTIONS })) {
      const headers = await bump(worker, shop);
      await tool<Counts>(worker, 'counts');
      await ask(worker, path, headers);
      read[name] = (await tool<Counts>(worker, 'counts')).rowsRead;
    }
  } finally {
    await worker.stop();
  }
  return read;
}

interface Measures {
  readonly products: number;
  readonly cold: Readonly<Record<string, number[]>>;
  readonly hot: Readonly<Record<string, number[]>>;
  readonly rows: Readonly<Record<string, number>>;
}

function report({ products, cold, hot, rows }: Measures): Finding[] {
  const plain = median(cold.plain ?? []);
  const lines = Object.keys(cold).map((name) => {
    const [once, again] = [median(cold[name] ?? []), median(hot[name] ?? [])];
    return { name, once, again, times: once / plain };
  });
  console.log(`\nLists of ${products} products with filters and facets, p50 of ${SAMPLES}`);
  table(
    ['', 'cold ms', 'to a plain list', 'hot ms', 'rows read'],
    lines.map(({ name, once, again, times }) => [
      ...[name, once.toFixed(2), times.toFixed(1), again.toFixed(2), rows[name] ?? 0],
    ]),
  );
  return lines.slice(1).map(({ name, times }) => ({
    measure: `cold list, three filters and four facets, ${name}: to a plain one`,
    reach: '≤ 3 times',
    figure: `${times.toFixed(1)} times`,
    reached: times <= 3,
  }));
}
