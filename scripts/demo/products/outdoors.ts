import { type DemoProduct, outfitter, simple } from './product.ts';

/** Bags and the camp kitchen. */
export const OUTDOORS: readonly DemoProduct[] = [
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
    attributes: { material: 'Waxed canvas' },
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
    attributes: { material: 'Cotton' },
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
    attributes: { material: 'Brass' },
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
    attributes: { material: 'Aluminium' },
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
    attributes: { material: 'Enamel' },
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
    attributes: { material: 'Titanium' },
  },
];
