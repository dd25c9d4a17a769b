import type { Example } from '../../kernel/openapi/example.ts';
import { type Feed, type FeedQuery, feedPages } from './schemas.ts';

/** Example of the marketplace feed: its first page. */
export const feedExample = (): Example<{ query: typeof FeedQuery; answer: typeof Feed }> => ({
  query: { limit: 2 },
  answer: {
    data: [
      {
        id: 2,
        product_id: 2,
        sku: 'VOUCHER-BARISTA',
        name: 'Barista course voucher',
        price: 49,
        currency: 'EUR',
        stock: 40,
        in_stock: true,
        images: [],
        category_path: 'Coffee',
        updated_at: '2026-11-23T09:20:41.086Z',
      },
      {
        id: 5,
        product_id: 3,
        sku: 'JERSEY-L',
        name: 'Merino jersey - L / Forest',
        price: 79,
        currency: 'EUR',
        stock: 8,
        in_stock: true,
        images: ['https://shop.example.com/images/jersey.jpg'],
        category_path: 'Cycling > Cycling clothing',
        updated_at: '2026-11-23T09:20:41.086Z',
      },
    ],
    meta: {
      next_cursor: feedPages.cursor(2, Date.parse('2026-11-23T09:20:41.086Z')),
      page: 1,
      limit: 2,
      total: 9,
      total_pages: 5,
      next_updated_since: '2026-11-23T09:20:41.086Z',
    },
  },
});
