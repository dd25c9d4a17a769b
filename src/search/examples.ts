import type { z } from '@hono/zod-openapi';
import { espressoHits, type ProductListItem } from '../catalog/index.ts';
import type { Example } from '../kernel/openapi/example.ts';
import type { SlugParam } from '../tenants/index.ts';

type Results = z.ZodType<{
  data: ProductListItem[];
  meta: { page: number; limit: number; total: number; total_pages: number; next_cursor: string | null };
}>;

/** Examples of the search endpoints. */
export const searchExamples = {
  /** Finds products despite a typo. */
  search: (): Example<{ query: z.ZodType<unknown, { q: string }>; answer: Results }> => ({
    query: { q: 'espreso' },
    answer: {
      data: espressoHits(),
      meta: { page: 1, limit: 20, total: 2, total_pages: 1, next_cursor: null },
    },
  }),
  rebuild: (): Example<{ params: typeof SlugParam; answer: z.ZodType<{ status: 'queued' }> }> => ({
    params: { slug: 'kaffee-und-kette' },
    answer: { status: 'queued' },
  }),
};
