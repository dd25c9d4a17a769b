import type { Product } from '../products/schemas.ts';
import { booking, bundled, type Create } from './bundle-and-booking.ts';
import { coffeeAlone, cyclingAlone, renamedClothing } from './categories.ts';
import { product } from './example-product.ts';

const image = (name: string): string => `https://shop.example.com/images/${name}.jpg`;

const beans = () => ({
  name: 'Espresso Kreuzberg 250 g',
  type: 'simple' as const,
  price: 9.9,
  regular_price: 11.9,
  sku: 'ESP-250',
  stock: 120,
  description: 'Dark roast with notes of cocoa and hazelnut.',
  images: [image('espresso')],
  tags: ['espresso', 'dark-roast'],
  vendor: 'Kaffee & Kette',
  attributes: { roast: 'Dark', origin: ['Brazil', 'India'] },
  metadata: { erp_id: 'A-1017' },
  tax_class: 'food',
  barcode: '4006381333931',
  weight: 270,
});
/** The example shop's simple product, as created. */
export const espresso = (): Product =>
  product({
    id: 1,
    slug: 'espresso-kreuzberg-250-g',
    ...beans(),
    on_sale: true,
    categories: [coffeeAlone()],
  });

const voucher = () => ({
  name: 'Barista course voucher',
  type: 'virtual' as const,
  price: 49,
  sku: 'VOUCHER-BARISTA',
  stock: 40,
});

const sizes = () => [
  { sku: 'JERSEY-M', price: 79, stock: 12, weight: 310, attributes: { size: 'M', colour: 'Forest' } },
  { sku: 'JERSEY-L', price: 79, stock: 8, weight: 330, attributes: { size: 'L', colour: 'Forest' } },
];
const merino = () => ({
  name: 'Merino jersey',
  type: 'configurable' as const,
  price: 79,
  images: [image('jersey')],
});
/** The example shop's configurable product. */
export const jersey = (): Product =>
  product({
    id: 3,
    sku: 'merino-jersey',
    slug: 'merino-jersey',
    ...merino(),
    stock: 20,
    categories: [renamedClothing()],
    options: [
      { name: 'size', values: ['M', 'L'] },
      { name: 'colour', values: ['Forest'] },
    ],
    variants: sizes().map((variant, n) => ({
      id: 4 + n,
      name: Object.values(variant.attributes).join(' / '),
      regular_price: null,
      on_sale: false,
      sale_ends_at: null,
      sale: null,
      in_stock: true,
      image: null,
      ...variant,
    })),
  });

const tours = () => ({
  name: 'Canal rides of Berlin',
  type: 'downloadable' as const,
  price: 12,
  sku: 'ROUTES-CANAL',
});
/** The example shop's downloadable product. */
export const routes = (): Product =>
  product({
    id: 6,
    slug: 'canal-rides-of-berlin',
    ...tours(),
    stock: 0,
    inventory_policy: 'untracked',
    categories: [cyclingAlone()],
    links: [
      { id: 1, title: 'Map (PDF)', price: 0 },
      { id: 2, title: 'GPX tracks', price: 4 },
    ],
  });

const set = () => ({
  name: 'Espresso starter set',
  type: 'grouped' as const,
  price: 0,
  sku: 'SET-ESPRESSO',
  grouped: [
    { product_id: 1, default_quantity: 2 },
    { product_id: 2, default_quantity: 1 },
  ],
});
/** The example shop's grouped product. */
export const espressoSet = (): Product =>
  product({ id: 7, slug: 'espresso-starter-set', ...set(), stock: 160 });

/** Examples of creating products: one of each type, in an order in which each finds the products it names. */
export const createProductExamples = (): Create => ({
  simple: {
    summary: 'Simple: a bag of coffee, taxed as food',
    body: { ...beans(), category_ids: [1] },
    answer: espresso(),
  },
  ...virtual(),
  configurable: {
    summary: 'Configurable: a jersey in two sizes',
    body: { ...merino(), category_ids: [3], variants: sizes() },
    answer: jersey(),
  },
  downloadable: {
    summary: 'Downloadable: a map, and tracks at a surcharge',
    body: {
      ...tours(),
      category_ids: [2],
      links: [
        { title: 'Map (PDF)', url: 'https://shop.example.com/files/canal-rides.pdf' },
        { title: 'GPX tracks', price: 4, url: 'https://shop.example.com/files/canal-rides.zip' },
      ],
    },
    answer: routes(),
  },
  grouped: {
    summary: 'Grouped: products that are sold side by side',
    body: set(),
    answer: espressoSet(),
  },
  ...bundled(),
  ...booking(),
});

const virtual = (): Create => ({
  virtual: {
    summary: 'Virtual: a voucher, which is not shipped, with a sale on a weekend',
    body: {
      ...voucher(),
      category_ids: [1],
      sale: { price: 39, starts_at: '2030-11-29T00:00:00+01:00', ends_at: '2030-12-02T00:00:00+01:00' },
    },
    answer: product({
      id: 2,
      slug: 'barista-course-voucher',
      ...voucher(),
      categories: [coffeeAlone()],
      sale: { price: 39, starts_at: '2030-11-28T23:00:00.000Z', ends_at: '2030-12-01T23:00:00.000Z' },
    }),
  },
});
