import { type DemoProduct, outfitter, pottery } from './product.ts';

/** Groups and bundles of other products, which are made before them. */
export const SETS: readonly DemoProduct[] = [
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
];
