/**
 * The demo shop: a small trader in coffee, pots and days outdoors, with all seven product types,
 * nested categories and prices in four currencies.
 */

export const TENANT = {
  slug: 'demo',
  name: 'Pine & Harbour',
  currency: 'EUR',
  currencies: ['EUR', 'USD', 'GBP', 'JPY'],
  plan: 'growth',
  settings: {
    tax: { mode: 'inclusive', rate_percent: 19, rates_by_country: { DE: 19, AT: 20, FR: 20, NL: 21 } },
    shipping: {
      flat: { EUR: 4.9, USD: 6.5, GBP: 4.5, JPY: 900 },
      free_over: { EUR: 60, USD: 70, GBP: 55, JPY: 10000 },
    },
    checkout: { allowed_hosts: ['shop.example.com', 'localhost', 'localhost:3000'] },
    payments: 'sandbox',
  },
};

export const THEME = {
  colors: { primary: '#1F4D3A', accent: '#C8553D', background: '#FBF8F3', text: '#22261F' },
  homepage_sections: ['hero', 'new_arrivals', 'coffee_of_the_month', 'workshops', 'newsletter'],
  font_family: "'Source Serif 4', Georgia, serif",
};

/** A category with its subcategories; the slug is derived from the name. */
export interface DemoCategory {
  readonly name: string;
  readonly children?: readonly DemoCategory[];
}

export const CATEGORIES: readonly DemoCategory[] = [
  {
    name: 'Coffee & Tea',
    children: [
      { name: 'Coffee Beans', children: [{ name: 'Single Origin' }, { name: 'Blends' }] },
      { name: 'Tea' },
      { name: 'Brewing Gear' },
    ],
  },
  { name: 'Kitchen', children: [{ name: 'Ceramics' }, { name: 'Linen' }] },
  { name: 'Outdoors', children: [{ name: 'Bags' }, { name: 'Camp Kitchen' }] },
  { name: 'Clothing', children: [{ name: 'Tops' }, { name: 'Knitwear' }] },
  {
    name: 'Courses & Gifts',
    children: [{ name: 'Workshops' }, { name: 'Gift Cards' }, { name: 'Downloads' }],
  },
];

/** A variant: its attributes, price and stock. */
type DemoVariant = readonly [Record<string, string>, number, number];

/** A product of the demo shop: `in` is its category's name, and other products are referenced by SKU. */
export interface DemoProduct {
  readonly sku: string;
  readonly name: string;
  readonly type: 'simple' | 'configurable' | 'virtual' | 'downloadable' | 'grouped' | 'bundled' | 'booking';
  readonly in: string;
  readonly price: number;
  readonly regular_price?: number;
  readonly stock?: number;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly vendor?: string;
  readonly variants?: readonly DemoVariant[];
  readonly links?: readonly { title: string; price: number; url: string }[];
  readonly grouped?: Readonly<Record<string, number>>;
  readonly bundle?: readonly {
    title: string;
    required: boolean;
    multiple: boolean;
    items: readonly string[];
  }[];
  /** Weekly booking slots: weekday (0 is Sunday), start and end hour, and capacity. */
  readonly slots?: { weekday: number; from: number; to: number; capacity: number };
}

const roaster = 'Harbour Roasters';
const pottery = 'Tidewater Pottery';
const outfitter = 'Fjell & Co';

const simple = (
  sku: string,
  name: string,
  category: string,
  price: number,
  stock: number,
  description: string,
) => ({ sku, name, type: 'simple', in: category, price, stock, description }) as const;

/** Bags of coffee in two weights, whole or ground. */
const beans = (kilo: number, stock: number): DemoVariant[] =>
  ['whole beans', 'filter', 'espresso'].flatMap((grind) => [
    [{ weight: '250 g', grind }, Math.round(kilo * 0.29 * 10) / 10, stock],
    [{ weight: '1 kg', grind }, kilo, Math.ceil(stock / 3)],
  ]);

const sized = (sizes: readonly string[], colors: readonly string[], price: number): DemoVariant[] =>
  colors.flatMap((color) =>
    sizes.map((size, at) => [{ color, size }, price, (at * 5 + color.length) % 13] as const),
  );

export const PRODUCTS: readonly DemoProduct[] = [
  {
    sku: 'COF-YIRG',
    name: 'Yirgacheffe Coffee',
    type: 'configurable',
    in: 'Single Origin',
    price: 36,
    vendor: roaster,
    description: '<p>Washed heirloom lots from Gedeo. Jasmine, bergamot, a finish like black tea.</p>',
    tags: ['ethiopia', 'light roast', 'floral'],
    variants: beans(36, 24),
  },
  {
    sku: 'COF-HUIL',
    name: 'Huila Coffee',
    type: 'configurable',
    in: 'Single Origin',
    price: 32,
    vendor: roaster,
    description: '<p>From forty small farms around Pitalito. Red apple, panela, milk chocolate.</p>',
    tags: ['colombia', 'medium roast'],
    variants: beans(32, 30),
  },
  {
    sku: 'COF-HARB',
    name: 'Harbour Blend',
    type: 'configurable',
    in: 'Blends',
    price: 26,
    vendor: roaster,
    description:
      '<p>The one we drink ourselves: Brazil and Guatemala, roasted for espresso and forgiving of it.</p>',
    tags: ['espresso', 'dark roast'],
    variants: beans(26, 60),
  },
  {
    sku: 'COF-DECA',
    name: 'Quiet Evening Decaf',
    type: 'configurable',
    in: 'Blends',
    price: 29,
    vendor: roaster,
    description: '<p>Decaffeinated with mountain water. Cocoa, hazelnut, and a full night of sleep.</p>',
    tags: ['decaf'],
    variants: beans(29, 15),
  },
  {
    ...simple(
      'TEA-RIZE',
      'Rize Black Tea (Çay)',
      'Tea',
      8.5,
      80,
      '<p>Loose leaf from the Black Sea coast, 250 g. Brew it strong, drink it from a tulip glass.</p>',
    ),
    tags: ['turkey', 'black tea'],
  },
  {
    ...simple(
      'TEA-SENC',
      'Sencha of the First Harvest',
      'Tea',
      16.9,
      32,
      '<p>Shaded for a week, steamed the day it is picked. 100 g from Kagoshima.</p>',
    ),
    tags: ['japan', 'green tea'],
  },
  {
    ...simple(
      'TEA-CHAM',
      'Chamomile Flowers',
      'Tea',
      6.4,
      54,
      '<p>Whole flower heads, dried slowly. 60 g.</p>',
    ),
    tags: ['herbal'],
  },
  {
    ...simple(
      'BRW-DRIP',
      'Porcelain Dripper 02',
      'Brewing Gear',
      24,
      41,
      '<p>Spiral ribs, one large hole, for one to four cups.</p>',
    ),
    vendor: pottery,
  },
  {
    ...simple(
      'BRW-PAPR',
      'Paper Filters 02, 100 pieces',
      'Brewing Gear',
      5.9,
      300,
      '<p>Oxygen-bleached, no taste of paper after a rinse.</p>',
    ),
  },
  {
    ...simple(
      'BRW-KETL',
      'Gooseneck Kettle',
      'Brewing Gear',
      59,
      18,
      '<p>Pours as thin as you like. Steel, 0.9 litres, for every hob.</p>',
    ),
    regular_price: 72,
  },
  {
    ...simple(
      'BRW-MILL',
      'Hand Mill',
      'Brewing Gear',
      89,
      12,
      '<p>Steel burrs, thirty clicks, no cable. Grinds 25 g in under a minute.</p>',
    ),
  },
  {
    ...simple(
      'BRW-PRES',
      'French Press, 1 litre',
      'Brewing Gear',
      34.5,
      0,
      '<p>Double-walled steel that keeps breakfast warm.</p>',
    ),
  },
  {
    ...simple(
      'BRW-SCAL',
      'Brewing Scale',
      'Brewing Gear',
      39,
      25,
      '<p>A tenth of a gram, with a timer, charged over USB-C.</p>',
    ),
  },
  {
    sku: 'CER-MUG',
    name: 'Tidewater Mug',
    type: 'configurable',
    in: 'Ceramics',
    price: 22,
    vendor: pottery,
    description: '<p>Thrown by hand, 300 ml. The glaze pools differently on each.</p>',
    tags: ['handmade'],
    variants: [
      [{ glaze: 'Sea Green' }, 22, 14],
      [{ glaze: 'Oat' }, 22, 9],
      [{ glaze: 'Ink' }, 24, 3],
    ],
  },
  {
    ...simple(
      'CER-BOWL',
      'Breakfast Bowl',
      'Ceramics',
      26,
      22,
      '<p>Stoneware, 15 cm, wide enough for porridge and fruit.</p>',
    ),
    vendor: pottery,
  },
  {
    ...simple('CER-PLAT', 'Dinner Plate', 'Ceramics', 31, 40, '<p>Stoneware with a raw rim, 26 cm.</p>'),
    vendor: pottery,
  },
  {
    ...simple(
      'CER-VASE',
      'Single Stem Vase',
      'Ceramics',
      18,
      7,
      '<p>For the one branch worth bringing home.</p>',
    ),
    vendor: pottery,
    regular_price: 23,
  },
  {
    ...simple(
      'LIN-TOWL',
      'Linen Tea Towel',
      'Linen',
      14,
      66,
      '<p>Washed linen that dries glasses without lint. 50 × 70 cm.</p>',
    ),
  },
  {
    ...simple(
      'LIN-APRN',
      'Linen Apron',
      'Linen',
      48,
      16,
      '<p>Cross-back, two pockets, softer every year.</p>',
    ),
  },
  {
    ...simple(
      'BAG-ROLL',
      'Roll-Top Backpack 22 L',
      'Bags',
      129,
      11,
      '<p>Waxed canvas, padded for a laptop, shrugs off rain.</p>',
    ),
    vendor: outfitter,
  },
  {
    ...simple(
      'BAG-TOTE',
      'Market Tote',
      'Bags',
      28,
      58,
      '<p>Heavy cotton with handles long enough for a shoulder.</p>',
    ),
  },
  {
    ...simple(
      'CMP-STOV',
      'Spirit Stove',
      'Camp Kitchen',
      44,
      20,
      '<p>Brass burner and windshield. Boils half a litre in eight minutes.</p>',
    ),
    vendor: outfitter,
  },
  {
    ...simple(
      'CMP-POT',
      'Nesting Pot, 1.1 litre',
      'Camp Kitchen',
      38,
      27,
      '<p>Hard-anodised, with a lid that strains. The stove fits inside.</p>',
    ),
    vendor: outfitter,
  },
  {
    ...simple(
      'CMP-CUP',
      'Enamel Cup',
      'Camp Kitchen',
      11,
      120,
      '<p>White enamel with a blue rim, 350 ml.</p>',
    ),
    vendor: outfitter,
  },
  {
    ...simple(
      'CMP-SPRK',
      'Spork',
      'Camp Kitchen',
      7.5,
      140,
      '<p>Titanium, 16 grams, hard to lose in bright orange.</p>',
    ),
    vendor: outfitter,
  },
  {
    sku: 'CLO-TEE',
    name: 'Heavyweight T-Shirt',
    type: 'configurable',
    in: 'Tops',
    price: 32,
    description: '<p>Organic cotton, 240 g, cut straight. Keeps its collar.</p>',
    tags: ['organic', 'cotton', 'shirt'],
    variants: sized(['S', 'M', 'L', 'XL'], ['Black', 'Pine', 'Sand'], 32),
  },
  {
    sku: 'CLO-OVER',
    name: 'Corduroy Overshirt',
    type: 'configurable',
    in: 'Tops',
    price: 95,
    regular_price: 119,
    description: '<p>Between a shirt and a jacket, for the days that cannot decide.</p>',
    tags: ['corduroy', 'shirt'],
    variants: sized(['S', 'M', 'L'], ['Rust', 'Navy'], 95),
  },
  {
    sku: 'CLO-BEAN',
    name: 'Merino Beanie',
    type: 'configurable',
    in: 'Knitwear',
    price: 29,
    vendor: outfitter,
    description: '<p>Two layers of fine merino, knitted without a seam.</p>',
    tags: ['merino', 'wool'],
    variants: sized(['One size'], ['Charcoal', 'Moss', 'Ember'], 29),
  },
  {
    sku: 'CLO-SOCK',
    name: 'Trail Socks',
    type: 'configurable',
    in: 'Knitwear',
    price: 18,
    vendor: outfitter,
    description: '<p>Merino with a padded heel. Two pairs see you through a week.</p>',
    tags: ['merino', 'hiking'],
    variants: sized(['36–39', '40–43', '44–47'], ['Grey', 'Pine'], 18),
  },
  {
    sku: 'SET-PICN',
    name: 'Picnic for Two',
    type: 'grouped',
    in: 'Camp Kitchen',
    price: 65,
    description: '<p>Two cups, two sporks, one tote. Bring your own hill.</p>',
    tags: ['set'],
    grouped: { 'CMP-CUP': 2, 'CMP-SPRK': 2, 'BAG-TOTE': 1 },
  },
  {
    sku: 'SET-TABL',
    name: 'Table for Four',
    type: 'grouped',
    in: 'Ceramics',
    price: 256,
    vendor: pottery,
    description: '<p>Plates and bowls for four, and the towels to dry them.</p>',
    tags: ['set'],
    grouped: { 'CER-PLAT': 4, 'CER-BOWL': 4, 'LIN-TOWL': 2 },
  },
  {
    sku: 'BDL-POUR',
    name: 'Pour-Over Starter Kit',
    type: 'bundled',
    in: 'Brewing Gear',
    price: 29.9,
    description: '<p>Everything for the first good cup: choose how you pour, and add what you lack.</p>',
    tags: ['set', 'gift'],
    bundle: [
      { title: 'Dripper', required: true, multiple: false, items: ['BRW-DRIP'] },
      { title: 'Filters', required: true, multiple: false, items: ['BRW-PAPR'] },
      { title: 'Tools', required: false, multiple: true, items: ['BRW-KETL', 'BRW-MILL', 'BRW-SCAL'] },
    ],
  },
  {
    sku: 'BDL-TRAI',
    name: 'Trail Kitchen',
    type: 'bundled',
    in: 'Camp Kitchen',
    price: 82,
    vendor: outfitter,
    description: '<p>A stove, a pot, and something to drink from. Pack it once, leave it packed.</p>',
    tags: ['set'],
    bundle: [
      { title: 'Stove', required: true, multiple: false, items: ['CMP-STOV'] },
      { title: 'Pot', required: true, multiple: false, items: ['CMP-POT'] },
      { title: 'Extras', required: false, multiple: true, items: ['CMP-CUP', 'CMP-SPRK', 'TEA-RIZE'] },
    ],
  },
  {
    sku: 'GFT-25',
    name: 'Gift Card €25',
    type: 'virtual',
    in: 'Gift Cards',
    price: 25,
    stock: 1000,
    description: '<p>Arrives by e-mail in a minute, does not expire.</p>',
    tags: ['gift'],
  },
  {
    sku: 'GFT-100',
    name: 'Gift Card €100',
    type: 'virtual',
    in: 'Gift Cards',
    price: 100,
    stock: 1000,
    description: '<p>For someone who has not found their cup yet.</p>',
    tags: ['gift'],
  },
  {
    sku: 'DL-BREW',
    name: 'The Brewing Book',
    type: 'downloadable',
    in: 'Downloads',
    price: 12,
    stock: 0,
    description: '<p>Eighty pages on water, grind and patience.</p>',
    tags: ['book'],
    links: [
      { title: 'PDF', price: 0, url: 'https://files.example.com/brewing-book.pdf' },
      { title: 'Read aloud (MP3)', price: 5, url: 'https://files.example.com/brewing-book.mp3' },
    ],
  },
  {
    sku: 'DL-MAPS',
    name: 'Coast Path Maps',
    type: 'downloadable',
    in: 'Downloads',
    price: 6,
    stock: 0,
    description: '<p>Three days along the cliffs, with every spring and every café.</p>',
    tags: ['hiking', 'map'],
    links: [{ title: 'GPX and PDF', price: 0, url: 'https://files.example.com/coast-path.zip' }],
  },
  {
    sku: 'WRK-CUPP',
    name: 'Coffee Cupping',
    type: 'booking',
    in: 'Workshops',
    price: 25,
    vendor: roaster,
    description: '<p>An hour and a half with eight coffees and a spoon. No knowledge needed.</p>',
    tags: ['coffee', 'course'],
    slots: { weekday: 6, from: 10, to: 12, capacity: 8 },
  },
  {
    sku: 'WRK-POTT',
    name: 'An Evening at the Wheel',
    type: 'booking',
    in: 'Workshops',
    price: 65,
    vendor: pottery,
    description: '<p>Throw two pieces; we glaze and fire them for you.</p>',
    tags: ['pottery', 'course'],
    slots: { weekday: 4, from: 18, to: 21, capacity: 6 },
  },
];
