/**
 * A deterministic catalogue: the same seed and number produce the same product on every machine. Like real
 * names, each name has a few common words and one rare word.
 */
import type { ProductState, VariantState } from '../../src/catalog/index.ts';

const KINDS =
  'Shirt Jacket Mug Lamp Chair Kettle Backpack Notebook Scarf Bowl Blanket Candle Watch Wallet Speaker Tent'.split(
    ' ',
  );
const MATERIALS = 'Cotton Linen Steel Oak Wool Ceramic Leather Glass Bamboo Canvas Copper Felt'.split(' ');
const MOODS =
  'Classic Modern Compact Rustic Quiet Bright Slim Heavy Soft Northern Coastal Urban Folding Daily'.split(
    ' ',
  );
const SYLLABLES =
  'ba de fi go hu ka le mi no pu ra se ti vo wu xa ye zi bra cle dri flo gri kno ple sta tri'.split(' ');
const COLORS = ['Black', 'Sand', 'Moss', 'Rust', 'Navy'];
const SIZES = ['S', 'M', 'L'];

/** Random numbers in [0, 1) from a seed (mulberry32, Tommy Ettinger). */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns the rare word in the name of product `n`: one of 27³ three-syllable words. */
export function rareWord(seed: number, n: number): string {
  const next = random(seed ^ Math.imul(n, 0x9e3779b1));
  const word = [1, 2, 3].map(() => SYLLABLES[Math.floor(next() * SYLLABLES.length)]).join('');
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Words that thousands of products share. */
export const COMMON_WORDS: readonly string[] = [...KINDS, ...MATERIALS, ...MOODS];

/** Returns product `n` of the catalogue; `categories` are the ids of the leaf categories. */
export function product(
  seed: number,
  n: number,
  currency: string,
  categories: readonly number[],
): ProductState {
  const next = random(seed ^ Math.imul(n + 1, 0x85ebca6b));
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T =>
    list[Math.floor(next() * list.length)] as T;
  const name = `${pick(MOODS)} ${pick(MATERIALS)} ${pick(KINDS)} ${rareWord(seed, n)}`;
  const sku = `SKU-${String(n).padStart(6, '0')}`;
  const amount = 100 * Math.ceil(next() * 300) - (next() < 0.5 ? 10 : 0);
  const configurable = next() < 0.15;
  const variants = configurable ? variantsOf(sku, amount, currency, 2 + Math.floor(next() * 4), next) : [];
  const single = () => (next() < 0.05 ? 'virtual' : 'simple');
  return {
    type: configurable ? 'configurable' : single(),
    status: 'active',
    sku,
    name,
    slug: `${name.toLowerCase().replaceAll(' ', '-')}-${n}`,
    prices: { [currency]: amount },
    sale: null,
    regularPrice: next() < 0.2 ? amount + 500 : null,
    description: `<p>${name}. ${Array.from({ length: 24 }, () => pick(COMMON_WORDS).toLowerCase()).join(' ')}.</p>`,
    images: [`https://images.example.com/${n}/1.jpg`, `https://images.example.com/${n}/2.jpg`],
    imageAlts: {},
    seo: null,
    barcode: String(4_000_000_000_000 + n),
    tags: [pick(MATERIALS).toLowerCase(), pick(MOODS).toLowerCase()],
    vendor: `Maker ${Math.floor(next() * 200)}`,
    taxClass: null,
    weight: null,
    attributes: {},
    metadata: {},
    policy: 'deny',
    stock: configurable ? null : Math.floor(next() * 100),
    categoryIds: [...new Set([pick(categories), pick(categories)])],
    variants,
    details: {},
    slots: [],
  };
}

function variantsOf(
  sku: string,
  amount: number,
  currency: string,
  count: number,
  next: () => number,
): VariantState[] {
  const all = COLORS.flatMap((color) => SIZES.map((size) => ({ color, size })));
  return all.slice(0, count).map((attributes, n) => ({
    id: null,
    sku: `${sku}-${n + 1}`,
    prices: { [currency]: amount + n * 100 },
    stock: Math.floor(next() * 20),
    attributes,
    sale: null,
    regularPrice: null,
    barcode: null,
    weight: null,
    image: null,
  }));
}
