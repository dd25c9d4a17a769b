import type { z } from '@hono/zod-openapi';
import type { Example } from '../kernel/openapi/example.ts';
import type {
  Import,
  ImportErrors,
  ImportErrorsQuery,
  ImportItem,
  ImportList,
  ImportParams,
  ImportQuery,
  ImportStarted,
} from './schemas.ts';

const id = 'imp_oMzTjjBcS1oz7hmmjZ4L8PRv';
const FILE = `Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty
bike-bell,Brass bike bell,BELL-BRASS,14.90,35
enamel-mug,Enamel mug,MUG-ENAMEL,9.50,60
`;
const imported = (): z.output<typeof ImportItem> => ({
  id,
  status: 'done',
  dry_run: false,
  rows: 2,
  processed: 2,
  created: 2,
  updated: 0,
  unchanged: 0,
  failed: 0,
  created_at: '2026-11-23T10:40:02.511Z',
  updated_at: '2026-11-23T10:40:03.094Z',
});

/** Examples of the endpoints for imports. */
export const importExamples = {
  create: (): Example<{ query: typeof ImportQuery; answer: typeof ImportStarted }> => ({
    body: FILE,
    answer: { id },
  }),
  list: (): Example<{ answer: typeof ImportList }> => ({
    answer: { data: [imported()], meta: { page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null } },
  }),
  get: (): Example<{ params: typeof ImportParams; answer: typeof Import }> => ({
    params: { id },
    answer: { ...imported(), errors: [] },
  }),
  cancel: (): Example<{ params: typeof ImportParams; answer: typeof Import }> => ({
    params: { id },
    answer: {
      ...imported(),
      ...{ status: 'cancelled', rows: 12_400, processed: 3_100, created: 3_100 },
      errors: [],
    },
  }),
  errors: (): Example<{
    params: typeof ImportParams;
    query: typeof ImportErrorsQuery;
    answer: typeof ImportErrors;
  }> => ({
    params: { id },
    query: { limit: 100 },
    answer: { data: [], next_after: null },
  }),
};
