import type { NamedExamples } from '../../kernel/openapi/example.ts';
import type { ProductCreate } from '../products/input-schemas.ts';
import type { Product } from '../products/schemas.ts';
import { coffeeAlone, cyclingAlone, renamedClothing } from './categories.ts';

type Stated = 'id' | 'sku' | 'name' | 'slug' | 'type' | 'price' | 'stock';

const product = ({ images = [], ...fields }: Partial<Product> & Pick<Product, Stated>): Product => ({
  description: null,
  currency: 'EUR',
  regular_price: null,
  on_sale: false,
  price_range: { min: fields.price, max: fields.price },
  in_stock: true,
  options: [],
  image: images[0] ?? null,
  images,
  media: images.map((url) => ({ url, alt: null, width: null, height: null })),
  status: 'active',
  created_at: '2026-11-23T09:20:41.086Z',
  updated_at: '2026-11-23T09:20:41.086Z',
  tags: [],
  weight: null,
  attributes: {},
  metadata: {},
  sale: null,
  inventory_policy: 'deny',
  categories: [],
  variants: [],
  ...fields,
});
const image = (name: string): string => `https://shop.example.com/images/${name}.jpg`;

const beans = () => ({
  ...{ name: 'Espresso Kreuzberg 250 g', type: 'simple' as const, price: 9.9, regular_price: 11.9 },
  ...{ sku: 'ESP-250', stock: 120, description: 'Dark roast with notes of cocoa and hazelnut.' },
  ...{ images: [image('espresso')], tags: ['espresso', 'dark-roast'], vendor: 'Kaffee & Kette' },
  ...{ attributes: { roast: 'Dark', origin: ['Brazil', 'India'] }, metadata: { erp_id: 'A-1017' } },
  ...{ tax_class: 'food', barcode: '4006381333931', weight: 270 },
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
  ...{ name: 'Barista course voucher', type: 'virtual' as const, price: 49 },
  ...{ sku: 'VOUCHER-BARISTA', stock: 40 },
});

const sizes = () => [
  { sku: 'JERSEY-M', price: 79, stock: 12, weight: 310, attributes: { size: 'M', colour: 'Forest' } },
  { sku: 'JERSEY-L', price: 79, stock: 8, weight: 330, attributes: { size: 'L', colour: 'Forest' } },
];
const merino = () => ({
  ...{ name: 'Merino jersey', type: 'configurable' as const, price: 79, images: [image('jersey')] },
});
/** The example shop's configurable product. */
export const jersey = (): Product =>
  product({
    ...{ id: 3, sku: 'merino-jersey', slug: 'merino-jersey', ...merino(), stock: 20 },
    categories: [renamedClothing()],
    options: [
      { name: 'size', values: ['M', 'L'] },
      { name: 'colour', values: ['Forest'] },
    ],
    variants: sizes().map((variant, n) => ({
      ...{ id: 4 + n, name: Object.values(variant.attributes).join(' / ') },
      ...{ regular_price: null, on_sale: false, sale: null },
      ...{ in_stock: true, image: null, ...variant },
    })),
  });

const tours = () => ({
  ...{ name: 'Canal rides of Berlin', type: 'downloadable' as const, price: 12, sku: 'ROUTES-CANAL' },
});
/** The example shop's downloadable product. */
export const routes = (): Product =>
  product({
    ...{ id: 6, slug: 'canal-rides-of-berlin', ...tours(), stock: 0, inventory_policy: 'untracked' },
    categories: [cyclingAlone()],
    links: [
      { id: 1, title: 'Map (PDF)', price: 0 },
      { id: 2, title: 'GPX tracks', price: 4 },
    ],
  });

const set = () => ({
  ...{ name: 'Espresso starter set', type: 'grouped' as const, price: 0, sku: 'SET-ESPRESSO' },
  grouped: [
    { product_id: 1, default_quantity: 2 },
    { product_id: 2, default_quantity: 1 },
  ],
});
/** The example shop's grouped product. */
export const espressoSet = (): Product =>
  product({ id: 7, slug: 'espresso-starter-set', ...set(), stock: 160 });

const box = () => ({
  ...{ name: 'Sunday gift box', type: 'bundled' as const, price: 5, sku: 'BOX-SUNDAY' },
});

const service = () => ({
  ...{ name: 'Full bike service', type: 'booking' as const, price: 89, sku: 'SERVICE-FULL' },
});

type Create = NamedExamples<{ body: typeof ProductCreate; answer: typeof Product }>;

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
      ...{ ...tours(), category_ids: [2] },
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
      ...{ ...voucher(), category_ids: [1] },
      sale: { price: 39, starts_at: '2030-11-29T00:00:00+01:00', ends_at: '2030-12-02T00:00:00+01:00' },
    },
    answer: product({
      ...{ id: 2, slug: 'barista-course-voucher', ...voucher(), categories: [coffeeAlone()] },
      sale: { price: 39, starts_at: '2030-11-28T23:00:00.000Z', ends_at: '2030-12-01T23:00:00.000Z' },
    }),
  },
});

const bundled = (): Create => ({
  bundled: {
    summary: 'Bundled: a gift box with an optional extra',
    body: {
      ...box(),
      bundle_groups: [
        { title: 'Coffee', items: [{ product_id: 1, quantity: 2, default: true }] },
        { title: 'Extras', required: false, multiple: true, items: [{ product_id: 2 }] },
      ],
    },
    answer: product({
      ...{ id: 8, slug: 'sunday-gift-box', ...box(), stock: 60 },
      bundle_groups: [
        {
          ...{ id: 1, title: 'Coffee', required: true, multiple: false },
          items: [{ id: 1, product_id: 1, quantity: 2, default: true }],
        },
        {
          ...{ id: 2, title: 'Extras', required: false, multiple: true },
          items: [{ id: 2, product_id: 2, quantity: 1, default: false }],
        },
      ],
    }),
  },
});

const booking = (): Create => ({
  booking: {
    summary: 'Booking: an appointment in the workshop',
    body: {
      ...{ ...service(), category_ids: [2] },
      booking: {
        timezone: 'Europe/Berlin',
        slots: [
          { from: '2030-05-06T09:00:00+02:00', to: '2030-05-06T11:00:00+02:00', capacity: 2 },
          { from: '2030-05-06T13:00:00+02:00', to: '2030-05-06T15:00:00+02:00', capacity: 2 },
        ],
      },
    },
    answer: product({
      ...{ id: 9, slug: 'full-bike-service', ...service(), stock: 4, categories: [cyclingAlone()] },
      booking: {
        timezone: 'Europe/Berlin',
        slots: [
          {
            ...{ id: 1, from: '2030-05-06T07:00:00.000Z', to: '2030-05-06T09:00:00.000Z' },
            ...{ capacity: 2, available: 2 },
          },
          {
            ...{ id: 2, from: '2030-05-06T11:00:00.000Z', to: '2030-05-06T13:00:00.000Z' },
            ...{ capacity: 2, available: 2 },
          },
        ],
      },
    }),
  },
});
