import { z } from '@hono/zod-openapi';
import { iso } from '../../kernel/core/clock.ts';
import { listPages, PageMeta } from '../../kernel/core/pagination.ts';
import { ok } from '../../kernel/core/result.ts';
import { directory } from '../../kernel/data/database.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { rawText } from '../../kernel/text/text.ts';
import { deadLetterExamples } from './examples.ts';
import { DeadLetter, DeadLettersRetried, Queue } from './schemas.ts';
import { type DeadLetter as Letter, listDeadLetters, retryDeadLetter, retryDeadLetters } from './store.ts';

const PLATFORM = { tag: 'Platform: dead letters', access: 'platform' } as const;
const path = '/admin/v1/dead-letters';

const present = ({ id, queue, body, attempts, error, sentAt, recordedAt }: Letter) => ({
  id,
  queue,
  message: body,
  attempts,
  error,
  sent_at: iso(sentAt),
  recorded_at: iso(recordedAt),
});

/** Pages and cursors of dead letters: latest first. */
const letterPages = listPages('dead-letters', z.tuple([z.int(), z.string()]));

const list = endpoint(
  {
    ...PLATFORM,
    method: 'get',
    path,
    summary: 'List dead letters',
    description:
      'Messages that failed on every retry, latest first. Kept for 90 days or until they are retried.',
    query: z.object({ ...letterPages.query, queue: Queue.optional() }),
    answer: z.object({ data: z.array(DeadLetter), meta: PageMeta }),
    example: deadLetterExamples.list,
  },
  async ({ env, query }) => {
    const page = letterPages.pageOf(query);
    const { rows, total } = await listDeadLetters(directory(env), { ...page, queue: query.queue });
    const shown = letterPages.cut(rows, page, {
      total,
      key: ({ recordedAt, id }) => [recordedAt, id],
      carriesTotal: true,
    });
    return ok({ data: shown.rows.map(present), meta: shown.meta });
  },
);

const retryOne = endpoint(
  {
    ...PLATFORM,
    method: 'post',
    path: `${path}/{letter_id}/retry`,
    summary: 'Retry a dead letter',
    description:
      'Sends the message to its queue again and deletes the dead letter. A message that fails again becomes a new dead letter. An import resumes where it stopped. `conflict`: the original queue is unknown.',
    params: z.object({ letter_id: rawText(255, { least: 1 }) }),
    status: 204,
    errors: ['dead_letter_not_found', 'conflict'],
    example: deadLetterExamples.retryOne,
  },
  ({ env, params, once }) => retryDeadLetter(env, params.letter_id, once),
);

const retryAll = endpoint(
  {
    ...PLATFORM,
    method: 'post',
    path: `${path}/retry`,
    id: 'retryDeadLetters',
    summary: 'Retry the dead letters of a queue',
    description: 'Retries the oldest first, at most 100 per request. Repeat while `remaining` is not 0.',
    body: z.strictObject({ queue: Queue }),
    answer: DeadLettersRetried,
    example: deadLetterExamples.retryAll,
  },
  ({ env, body, once }) => retryDeadLetters(env, body.queue, once),
);

/** The platform API's endpoints for dead letters. */
export const deadLetterEndpoints: readonly Endpoint[] = [list, retryOne, retryAll];
