import { client } from '../../../scripts/dev/client.ts';
import { bump } from '../../calls/cold.ts';
import { ask } from '../../load.ts';
import { type Finding, median, table } from '../../report.ts';
import { service } from '../../worker.ts';
import { COMMON_WORDS, rareWord } from '../../world/catalogue.ts';
import { type Shop, worldOf } from '../../world/world.ts';

const WARM_UPS = 5;
const SAMPLES = 40;
const PRODUCT = 'GET /v1/products/{id}';

/** One question, how long it took in ms, and how many products it found. */
interface Sample {
  readonly kind: string;
  readonly ms: number;
  readonly total: number;
}

/** The kinds of search text, each made anew for every sample. */
const KINDS: Readonly<Record<string, (shop: Shop, sample: number) => string>> = {
  'a rare word': (shop, sample) => rareWord(shop.tenantId, sample * 37),
  'a common word': (_, sample) => common(sample),
  'a beginning': (_, sample) => common(sample).slice(0, 3),
  'a typo': (_, sample) => mistyped(common(sample), sample),
};

const common = (sample: number): string =>
  (COMMON_WORDS[(sample * 5) % COMMON_WORDS.length] ?? '').toLowerCase();

/** A word with two letters swapped, one left out, one doubled or one wrong. */
function mistyped(word: string, sample: number): string {
  const at = 1 + (sample % (word.length - 2));
  const [before, letter, next, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
  const mistakes = [`${next}${letter}`, `${next}`, `${letter}${letter}${next}`, `q${next}`];
  return `${before}${mistakes[sample % mistakes.length]}${after}`;
}

/** Searches that nothing has kept an answer for, beside cold reads of one product. */
export async function search(products: number): Promise<Finding[]> {
  const world = await worldOf(products);
  const [shop] = world.shops;
  const worker = await service(world.folder);
  try {
    const api = client(worker.url.origin, shop.token);
    const { data } = await api<{ data: { id: number }[] }>('GET', '/v1/products?limit=100&page=3');
    const took: Sample[] = [];
    for (let sample = 0; sample < WARM_UPS + SAMPLES; sample++) {
      const headers = await bump(worker, shop);
      const { ms } = await ask(worker, `/v1/products/${data[sample]?.id}`, headers);
      const round: Sample[] = [{ kind: PRODUCT, ms, total: 1 }];
      for (const [kind, text] of Object.entries(KINDS)) {
        const answer = await ask(worker, `/v1/search?q=${encodeURIComponent(text(shop, sample))}`, headers);
        if (answer.status !== 200) throw new Error(`${kind} answered ${answer.status} ${answer.body}`);
        round.push({ kind, ms: answer.ms, total: JSON.parse(answer.body).meta.total });
      }
      if (sample >= WARM_UPS) took.push(...round);
    }
    return report(took, products);
  } finally {
    await worker.stop();
  }
}

function report(took: readonly Sample[], products: number): Finding[] {
  const middle = (kind: string, read: (sample: Sample) => number) =>
    median(took.filter((sample) => sample.kind === kind).map(read));
  const product = middle(PRODUCT, ({ ms }) => ms);
  const kinds = [PRODUCT, ...Object.keys(KINDS)].map((kind) => {
    const p50 = middle(kind, ({ ms }) => ms);
    return { kind, p50, times: p50 / product, total: middle(kind, ({ total }) => total) };
  });
  console.log(`\nCold reads in ${products} products, p50 of ${SAMPLES}`);
  table(
    ['', 'p50 ms', 'to a cold product', 'found'],
    kinds.map(({ kind, p50, times, total }) => [kind, p50.toFixed(2), times.toFixed(1), total]),
  );
  return kinds.slice(1).map(({ kind, times }) => ({
    measure: `cold search, ${kind}: to a cold product`,
    reach: '≤ 5 times',
    figure: `${times.toFixed(1)} times`,
    reached: times <= 5,
  }));
}
