import { z } from '@hono/zod-openapi';
import { QUEUES } from '../tables.ts';

/** A queue whose dead letters can be retried. */
export const Queue = z.enum(QUEUES);

/** A message that failed on every retry. */
export const DeadLetter = z
  .object({
    id: z.string(),
    queue: Queue.nullable().openapi({ description: 'The original queue; null if unknown.' }),
    message: z.unknown().openapi({ description: 'The message; contains only ids.' }),
    attempts: z.int().nullable().openapi({ description: 'The number of attempts, if recorded.' }),
    error: z.string().nullable().openapi({ description: 'The last error, if recorded.' }),
    sent_at: z.iso
      .datetime()
      .openapi({ description: 'When the message was moved to the dead-letter queue.' }),
    recorded_at: z.iso.datetime(),
  })
  .openapi('DeadLetter');

/** The number of dead letters that were retried, and of those left in their queue. */
export const DeadLettersRetried = z.object({ retried: z.int(), remaining: z.int() });
