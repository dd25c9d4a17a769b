import { type DemoProduct, type DemoVariant, outfitter } from './product.ts';

/** Variants in colours and sizes; `soldOut` names those of which there are none. */
const sized = (
  sizes: readonly string[],
  colors: readonly string[],
  price: number,
  soldOut: readonly string[] = [],
): DemoVariant[] =>
  colors.flatMap((color) =>
    sizes.map((size, at) => {
      const stock = soldOut.includes(`${color} / ${size}`) ? 0 : (at * 5 + color.length) % 13;
      return [{ color, size }, price, stock] as const;
    }),
  );

/** Clothes, in colours and sizes. */
export const CLOTHING: readonly DemoProduct[] = [
  {
    sku: 'CLO-TEE',
    name: 'Heavyweight T-Shirt',
    type: 'configurable',
    in: 'Tops',
    price: 32,
    description: '<p>Organic cotton, 240 g, cut straight. Keeps its collar.</p>',
    tags: ['organic', 'cotton', 'shirt'],
    variants: sized(['S', 'M', 'L', 'XL'], ['Black', 'Pine', 'Sand'], 32, ['Sand / XL', 'Black / S']),
    attributes: { material: 'Cotton' },
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
    attributes: { material: 'Cotton' },
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
    attributes: { material: 'Merino' },
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
    attributes: { material: 'Merino' },
  },
];
