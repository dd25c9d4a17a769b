import { client } from '../../../scripts/dev/client.ts';
import { bump } from '../../calls/cold.ts';
import { coldInTurns, type Side, sideOf, worstRatio } from '../../calls/turns.ts';
import type { Counts } from '../../counting.ts';
import { ask } from '../../load.ts';
import { type Finding, table } from '../../report.ts';
import { counting, type Measured, tool } from '../../worker.ts';
import { type Shop, type World, worldOf } from '../../world/world.ts';

const SMALL = 1_000;
const SAMPLES = 40;
const LIMIT = 20;
const MOST_ROWS = 3 * LIMIT + 50;

/** The questions whose cost must not depend on the size of the catalogue. */
async function questions(worker: Measured, shop: Shop): Promise<Record<string, string>> {
  const list = `/v1/products?limit=${LIMIT}`;
  const { data } = await client(worker.url.origin, shop.token)<{ data: { id: number }[] }>(
    'GET',
    '/v1/categories',
  );
  const sorts = ['price_asc', 'price_desc', 'name_asc', 'name_desc'];
  return {
    'list by newest': list,
    'category and all below it': `${list}&category_id=${data[0]?.id}`,
    ...Object.fromEntries(sorts.map((sort) => [`list by ${sort}`, `${list}&sort=${sort}`])),
    'category by price': `${list}&category_id=${data[0]?.id}&sort=price_asc`,
  };
}

/** Cold first pages in a small and in a large catalogue, asked in turns. */
export async function scale(products: number): Promise<Finding[]> {
  const [small, large] = [await worldOf(SMALL), await worldOf(products)];
  return [...(await times(small, large, products)), ...(await work(large))];
}

async function times(small: World, large: World, products: number): Promise<Finding[]> {
  const sides = [
    await sideOf(small, `${SMALL} products`),
    await sideOf(large, `${products} products`),
  ] as const;
  try {
    const asked = new Map<Side, Readonly<Record<string, string>>>();
    for (const side of sides) asked.set(side, await questions(side.worker, side.shopOf(0)));
    const rows = await coldInTurns({
      sides,
      samples: SAMPLES,
      paths: async (side) => asked.get(side) ?? {},
    });
    const worst = worstRatio(rows);
    return [
      {
        measure: `cold lists, ${SMALL} → ${products} products: dearest question`,
        reach: '≤ 1.3 times',
        figure: `${worst.toFixed(2)} times`,
        reached: worst <= 1.3,
      },
    ];
  } finally {
    for (const { worker } of sides) await worker.stop();
  }
}

/** Rows read and query plans of the same questions in the large catalogue. */
async function work(world: World): Promise<Finding[]> {
  const [shop] = world.shops;
  const worker = await counting(world.folder);
  try {
    const rows: [string, number][] = [];
    const headers = await bump(worker, shop);
    const scans = new Set<string>();
    for (const [name, path] of Object.entries(await questions(worker, shop))) {
      await tool<Counts>(worker, 'counts');
      await ask(worker, path, headers);
      for (const { sql, plan } of await tool<Plan[]>(worker, 'plans')) {
        for (const step of plan.filter((one) => scansTable(one, plan))) scans.add(`${step}: ${sql}`);
      }
      // Asked anew: the plans' own rows would be counted with the question's.
      const again = await bump(worker, shop);
      await tool<Counts>(worker, 'counts');
      await ask(worker, path, again);
      rows.push([name, (await tool<Counts>(worker, 'counts')).rowsRead]);
    }
    console.log('\nRows read by each');
    table(['', 'rows'], rows);
    for (const scan of scans) console.log(scan);
    const most = Math.max(...rows.map(([, count]) => count));
    return [
      {
        measure: 'cold lists: rows read',
        reach: `≤ ${MOST_ROWS}`,
        figure: `${most}`,
        reached: most <= MOST_ROWS,
      },
      {
        measure: 'cold lists: tables scanned',
        reach: '0',
        figure: `${scans.size}`,
        reached: scans.size === 0,
      },
    ];
  } finally {
    await worker.stop();
  }
}

/** The query plan of a statement, step by step. */
interface Plan {
  readonly sql: string;
  readonly plan: readonly string[];
}

/**
 * Returns whether a step of a plan scans a whole table. Scans of a LIMIT subquery's result, of a JSON parameter
 * or of a constant row don't count.
 */
function scansTable(step: string, plan: readonly string[]): boolean {
  const name = /^SCAN (\S+)/.exec(step)?.[1];
  if (!name || /VIRTUAL TABLE INDEX [1-9]|CONSTANT ROW/.test(step)) return false;
  return !plan.some((other) => [`CO-ROUTINE ${name}`, `MATERIALIZE ${name}`].includes(other));
}
