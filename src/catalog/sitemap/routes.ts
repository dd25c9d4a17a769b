import { cachedRead } from '../../kernel/cache/versioned-cache.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { groupDigits } from '../../kernel/text/text.ts';
import { sitemapExample } from '../examples/sitemap.ts';
import { readSitemap, SITEMAP_PAGE_SIZE } from '../reads/read-sitemap.ts';
import { Sitemap, SitemapQuery } from './schemas.ts';

const get = endpoint(
  {
    method: 'get',
    path: '/v1/sitemap',
    id: 'getSitemap',
    tag: 'Products',
    summary: 'List the slugs of products or categories',
    description: `All active products, or all categories that are not hidden, in the order of their creation, ${groupDigits(SITEMAP_PAGE_SIZE)} a page. While the catalogue changes, what stays is listed exactly once.`,
    access: 'catalog:read',
    query: SitemapQuery,
    answer: Sitemap,
    cached: true,
    example: sitemapExample,
  },
  (call) => {
    const { kind, cursor } = call.query;
    const after = cursor?.after ?? 0;
    return cachedRead(call, {
      key: `/sitemap?${kind}&${after}`,
      need: { scope: 'catalog:read' },
      keep: 'kv',
      hot: true,
      fill: (from) => readSitemap(from, kind, after),
    });
  },
);

/** The endpoint of `/v1/sitemap`. */
export const sitemapEndpoints: readonly Endpoint[] = [get];
