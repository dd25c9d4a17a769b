import { z } from '@hono/zod-openapi';
import { QUEUES } from '../tables.ts';

/** A queue whose messages can be sent again. */
export const Queue = z.enum(QUEUES);

/** A message that its queue gave up on. */
export const DeadLetter = z
  .object({
    id: z.string(),
    queue: Queue.nullable().openapi({ description: 'null where the message does not tell.' }),
    message: z.unknown().openapi({ description: 'What the queue carried: ids only.' }),
    attempts: z
      .int()
      .nullable()
      .openapi({ description: 'How often it was tried, as far as that was noted.' }),
    error: z.string().nullable().openapi({ description: 'How it last failed, as far as that was noted.' }),
    sent_at: z.iso.datetime().openapi({ description: 'When the queue gave it up.' }),
    recorded_at: z.iso.datetime(),
  })
  .openapi('DeadLetter');

/** How many letters were sent again, and how many of their queue are left. */
export const DeadLettersRetried = z.object({ retried: z.int(), remaining: z.int() });
