import { type DemoProduct, type DemoVariant, pottery, roaster, simple } from './product.ts';

/** Bags of coffee in two weights, whole or ground. */
const beans = (kilo: number, stock: number): DemoVariant[] =>
  ['whole beans', 'filter', 'espresso'].flatMap((grind) => [
    [{ weight: '250 g', grind }, Math.round(kilo * 0.29 * 10) / 10, stock],
    [{ weight: '1 kg', grind }, kilo, Math.ceil(stock / 3)],
  ]);

/** Coffee, tea and what they are brewed with. */
export const COFFEE: readonly DemoProduct[] = [
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
    attributes: { origin: 'Ethiopia', roast: 'light' },
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
    attributes: { origin: 'Colombia', roast: 'medium' },
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
    attributes: { origin: ['Brazil', 'Guatemala'], roast: 'dark' },
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
    attributes: { origin: 'Mexico', roast: 'medium' },
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
    attributes: { origin: 'Turkey', caffeine: 'yes' },
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
    attributes: { origin: 'Japan', caffeine: 'yes' },
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
    attributes: { origin: 'Egypt', caffeine: 'no' },
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
    attributes: { material: 'Porcelain' },
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
    attributes: { material: 'Steel' },
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
    attributes: { material: ['Steel', 'Wood'] },
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
    attributes: { material: 'Steel' },
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
];
