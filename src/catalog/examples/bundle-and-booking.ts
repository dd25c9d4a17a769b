import type { NamedExamples } from '../../kernel/openapi/example.ts';
import type { ProductCreate } from '../products/input-schemas.ts';
import type { Product } from '../products/schemas.ts';
import { cyclingAlone } from './categories.ts';
import { product } from './example-product.ts';

/** Examples of creating products, by the types' names. */
export type Create = NamedExamples<{ body: typeof ProductCreate; answer: typeof Product }>;

const box = () => ({
  name: 'Sunday gift box',
  type: 'bundled' as const,
  price: 5,
  sku: 'BOX-SUNDAY',
});

const service = () => ({
  name: 'Full bike service',
  type: 'booking' as const,
  price: 89,
  sku: 'SERVICE-FULL',
});

/** The example of creating a bundled product. */
export const bundled = (): Create => ({
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
      id: 8,
      slug: 'sunday-gift-box',
      ...box(),
      stock: 60,
      bundle_groups: [
        {
          id: 1,
          title: 'Coffee',
          required: true,
          multiple: false,
          items: [{ id: 1, product_id: 1, quantity: 2, default: true }],
        },
        {
          id: 2,
          title: 'Extras',
          required: false,
          multiple: true,
          items: [{ id: 2, product_id: 2, quantity: 1, default: false }],
        },
      ],
    }),
  },
});

/** The example of creating a booking. */
export const booking = (): Create => ({
  booking: {
    summary: 'Booking: an appointment in the workshop',
    body: {
      ...service(),
      category_ids: [2],
      booking: {
        timezone: 'Europe/Berlin',
        slots: [
          { from: '2030-05-06T09:00:00+02:00', to: '2030-05-06T11:00:00+02:00', capacity: 2 },
          { from: '2030-05-06T13:00:00+02:00', to: '2030-05-06T15:00:00+02:00', capacity: 2 },
        ],
      },
    },
    answer: product({
      id: 9,
      slug: 'full-bike-service',
      ...service(),
      stock: 4,
      categories: [cyclingAlone()],
      booking: {
        timezone: 'Europe/Berlin',
        slots: [
          {
            id: 1,
            from: '2030-05-06T07:00:00.000Z',
            to: '2030-05-06T09:00:00.000Z',
            capacity: 2,
            available: 2,
          },
          {
            id: 2,
            from: '2030-05-06T11:00:00.000Z',
            to: '2030-05-06T13:00:00.000Z',
            capacity: 2,
            available: 2,
          },
        ],
      },
    }),
  },
});
