import type { Example } from '../../kernel/openapi/example.ts';
import type { Sitemap, SitemapQuery } from '../sitemap/schemas.ts';
import { coffeeAlone, cyclingAlone, renamedClothing } from './categories.ts';

const updated_at = '2026-11-23T09:04:51.207Z';

/** Example of the endpoint for sitemaps. */
export const sitemapExample = (): Example<{ query: typeof SitemapQuery; answer: typeof Sitemap }> => ({
  query: { kind: 'categories' },
  answer: {
    data: [coffeeAlone(), cyclingAlone(), renamedClothing()].map(({ slug }) => ({ slug, updated_at })),
    meta: { next_cursor: null },
  },
});
