import type { z } from '@hono/zod-openapi';
import type { Example } from '../kernel/openapi/example.ts';
import type { Media, MediaList, MediaParams } from './schemas.ts';

const id = 'med_3kTMd9XcB2LhVq0ZrWy7sFgP';
/** A GIF of one pixel, whose bytes are all ASCII. */
const FILE = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;';
const HASH = '1f117ab884befddb6b06149ee2aa019d76d02b8635c49d734031d69d2d0d7f93';

const image = (): z.output<typeof Media> => ({
  id,
  url: `https://api.example.com/media/kaffee-und-kette/${HASH}`,
  width: 1,
  height: 1,
  bytes: 29,
  content_type: 'image/gif',
  created_at: '2026-11-23T10:38:20.114Z',
});

/** Examples of the endpoints for images. */
export const mediaExamples = {
  create: (): Example<{ answer: typeof Media }> => ({
    mediaType: 'image/gif',
    body: FILE,
    answer: image(),
  }),
  list: (): Example<{ answer: typeof MediaList }> => ({
    answer: {
      data: [{ ...image(), product_ids: [] }],
      meta: { page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null },
    },
  }),
  get: (): Example<{ params: typeof MediaParams; answer: typeof Media }> => ({
    params: { id },
    answer: { ...image(), product_ids: [] },
  }),
  remove: (): Example<{ params: typeof MediaParams }> => ({ params: { id } }),
};
