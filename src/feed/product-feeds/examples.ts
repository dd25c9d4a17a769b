import type { Example } from '../../kernel/openapi/example.ts';
import {
  type FeedCreate,
  type FeedParams,
  type FeedPreview,
  type FeedProblemList,
  type PreviewQuery,
  type ProblemQuery,
  type ProductFeed,
  type ProductFeedList,
  problemCursor,
} from './schemas.ts';

const params = { id: 'feed_9sKc2VtY4mXqLw7ZbR3nHd5P' };

const feed = (): ProductFeed => ({
  ...params,
  url: 'https://api.example.com/feeds/fd_1-9sKc2VtY4mXqLw7ZbR3nHd5P_1uY3kWq8LrNz5TcXvB2mJd7HfSg4PaKe9.xml',
  format: 'xml',
  created_at: '2026-11-23T09:31:02.514Z',
});

/** Examples of the endpoints for product feeds. */
export const productFeedExamples = {
  create: (): Example<{ body: typeof FeedCreate; answer: typeof ProductFeed }> => ({
    body: { format: 'xml' },
    answer: feed(),
  }),
  list: (): Example<{ answer: typeof ProductFeedList }> => ({ answer: { data: [feed()] } }),
  problems: (): Example<{
    params: typeof FeedParams;
    query: typeof ProblemQuery;
    answer: typeof FeedProblemList;
  }> => ({
    params,
    query: { limit: 1 },
    answer: {
      data: [
        {
          product_id: 2,
          variant_id: null,
          sku: 'VOUCHER-BARISTA',
          name: 'Barista course voucher',
          problems: [
            { attribute: 'description', reason: 'It is missing.' },
            { attribute: 'image_link', reason: 'There is no image.' },
          ],
        },
      ],
      meta: { next_cursor: problemCursor.encode(2) },
    },
  }),
  preview: (): Example<{
    params: typeof FeedParams;
    query: typeof PreviewQuery;
    answer: typeof FeedPreview;
  }> => ({
    params,
    query: { limit: 1 },
    answer: {
      data: [
        {
          product_id: 1,
          variant_id: null,
          sku: 'ESPRESSO-250',
          item: {
            id: '1',
            title: 'Espresso',
            description: 'Dark roast, 250 g.',
            link: 'https://shop.example.com/products/espresso',
            image_link: 'https://shop.example.com/images/espresso.jpg',
            availability: 'in_stock',
            price: '8.90 EUR',
            brand: 'Nordlicht',
            mpn: 'ESPRESSO-250',
          },
        },
      ],
    },
  }),
  remove: (): Example<{ params: typeof FeedParams }> => ({ params }),
};
