import { type DemoProduct, pottery, simple } from './product.ts';

/** Ceramics, linen and the pantry. */
export const KITCHEN: readonly DemoProduct[] = [
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
    attributes: { material: 'Stoneware' },
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
    attributes: { material: 'Stoneware' },
  },
  {
    ...simple('CER-PLAT', 'Dinner Plate', 'Ceramics', 31, 40, '<p>Stoneware with a raw rim, 26 cm.</p>'),
    vendor: pottery,
    attributes: { material: 'Stoneware' },
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
    attributes: { material: 'Stoneware' },
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
    attributes: { material: 'Linen' },
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
    attributes: { material: 'Linen' },
  },
  {
    ...simple(
      'OIL-ZAIT',
      'שמן זית כתית מעולה',
      'Pantry',
      19.5,
      28,
      '<p>שמן זית מכבישה קרה, מעצים בני מאה שנה בגליל. פירותי, עם סוף חריף קל. בקבוק של חצי ליטר.</p>',
    ),
    attributes: { origin: 'Israel' },
    tags: ['olive oil'],
  },
];
