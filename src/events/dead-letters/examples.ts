import type { z } from '@hono/zod-openapi';
import type { PageMeta } from '../../kernel/core/pagination.ts';
import type { Example } from '../../kernel/openapi/example.ts';
import type { DeadLetter, DeadLettersRetried, Queue } from './schemas.ts';

type LetterList = z.ZodType<{ data: z.output<typeof DeadLetter>[]; meta: z.output<typeof PageMeta> }>;

const letter = (id: string): z.output<typeof DeadLetter> => ({
  id,
  queue: 'imports',
  message: { tenantId: 1, importId: 'imp_oMzTjjBcS1oz7hmmjZ4L8PRv' },
  attempts: 4,
  error: 'D1_ERROR: Network connection lost.',
  sent_at: '2026-11-23T12:15:44.630Z',
  recorded_at: '2026-11-23T12:15:46.218Z',
});

/** Examples of the endpoints for dead letters. */
export const deadLetterExamples = {
  list: (): Example<{ answer: LetterList }> => ({
    answer: {
      data: [letter('1353b2b8702a4e44a3cc8cc69fbebdb0'), letter('adbd084869764a629c7307599ac5a933')],
      meta: { page: 1, limit: 20, total: 2, total_pages: 1, next_cursor: null },
    },
  }),
  retryOne: (): Example<{ params: z.ZodType<unknown, { letter_id: string }> }> => ({
    params: { letter_id: '1353b2b8702a4e44a3cc8cc69fbebdb0' },
  }),
  retryAll: (): Example<{
    body: z.ZodType<unknown, { queue: z.input<typeof Queue> }>;
    answer: typeof DeadLettersRetried;
  }> => ({ body: { queue: 'imports' }, answer: { retried: 1, remaining: 0 } }),
};
