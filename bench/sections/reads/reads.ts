import { client } from '../../../scripts/dev/client.ts';
import { type ColdTimes, coldInTurns, type Side, sideOf, worstRatio } from '../../calls/turns.ts';
import type { Finding } from '../../report.ts';
import { worldOf } from '../../world/world.ts';

const SMALL = 1_000;
const SAMPLES = 40;

/** Cold reads of a product by id and by slug, of several by id, and of related ones, in two catalogues in turn. */
export async function reads(products: number): Promise<Finding[]> {
  const worlds = [await worldOf(SMALL), await worldOf(products)] as const;
  const sides = [
    await sideOf(worlds[0], `${SMALL} products`),
    await sideOf(worlds[1], `${products} products`),
  ] as const;
  try {
    return report(products, await coldInTurns({ sides, samples: SAMPLES, paths }));
  } finally {
    for (const { worker } of sides) await worker.stop();
  }
}

function report(products: number, rows: readonly ColdTimes[]): Finding[] {
  const p50 = (name: string) => rows.find((row) => row.name === name)?.second ?? Number.NaN;
  const toById = (name: string) => p50(name) / p50('by id');
  const finding = (measure: string, ratio: number, most: number): Finding => ({
    measure,
    reach: `≤ ${most} times`,
    figure: `${ratio.toFixed(2)} times`,
    reached: ratio <= most,
  });
  return [
    finding('cold product by slug: to one by id', toById('by slug'), 1.2),
    finding('cold related products: to one by id', toById('related'), 2),
    finding(`cold reads, ${SMALL} → ${products} products: dearest`, worstRatio(rows), 1.3),
  ];
}

/** Returns what is read in a sample: other products each time, so that none is read twice at a version. */
async function paths({ worker, shopOf }: Side, sample: number): Promise<Record<string, string>> {
  const api = client(worker.url.origin, shopOf(sample).token);
  const page = `/v1/products?limit=14&page=${sample + 1}&sort=name_asc`;
  const { data } = await api<{ data: { id: number; slug: string }[] }>('GET', page);
  const [byId, bySlug, related, , ...several] = data;
  return {
    'by id': `/v1/products/${byId?.id}`,
    'by slug': `/v1/products/slug/${bySlug?.slug}`,
    'ten by ids': `/v1/products?ids=${several.map(({ id }) => id).join()}`,
    related: `/v1/products/${related?.id}/related`,
  };
}
