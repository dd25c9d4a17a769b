import type { Example } from '../kernel/openapi/example.ts';
import type { SlugParam } from '../tenants/index.ts';
import type { ExportPage, ImportAnswer, ImportBody, MediaParams, TransferRecord } from './schemas.ts';

const params = { slug: 'kaffee-und-kette' };
const header = () => ({
  format: 1 as const,
  schema: '0031_agents.sql',
  keys: { '1': 'mRk1Vt0dBzHcY5XqNwPz' },
});
const record = (): TransferRecord => ({
  table: 'former_slugs',
  row: { kind: 'product', slug: 'espresso-old', owner_id: 1, position: 1 },
});

/** Examples of the endpoints that move tenants. */
export const transferExamples = {
  exportPage: (): Example<{ params: typeof SlugParam; answer: typeof ExportPage }> => ({
    params,
    answer: {
      header: header(),
      data: [record()],
      meta: { next_cursor: 'WzEsImV4cG9ydCIsMTQ4MzY4MTQ2MSxbMTgsW11dXQ' },
    },
  }),
  importPage: (): Example<{
    params: typeof SlugParam;
    body: typeof ImportBody;
    answer: typeof ImportAnswer;
  }> => ({
    params,
    body: { header: header(), records: [record()] },
    answer: { written: 1, unreadable_keys: [] },
  }),
  importMedia: (): Example<{ params: typeof MediaParams }> => ({
    params: { ...params, hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    mediaType: 'image/gif',
    body: '(the bytes of a GIF file)',
  }),
};
