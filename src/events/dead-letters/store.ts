import { and, asc, count, desc, eq, gt, lt, or, sql } from 'drizzle-orm';
import { DAY, now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { type ListPage, rowsBefore, totalIn, unlessCounted } from '../../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { deletes } from '../../kernel/data/chore.ts';
import {
  batch,
  type Database,
  directory,
  jsonList,
  namedBatch,
  run,
  type Statement,
} from '../../kernel/data/database.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { MAX_SEND_BATCH } from '../relay.ts';
import { deadLetters, QUEUES, type QueueName, queueFailures } from '../tables.ts';

/** How long (ms) dead letters are kept. */
const LETTER_RETENTION_MS = 90 * DAY;
/** How long (ms) errors of messages are kept: longer than any queue retries. */
const FAILURE_RETENTION_MS = 14 * DAY;
/** Errors are recorded from this attempt on, because most messages succeed on the first retry. */
const RECORDED_FROM_ATTEMPT = 3;

/** A message that failed on every retry. */
export type DeadLetter = typeof deadLetters.$inferSelect;

/** Messages of one queue that failed with an error and are retried. */
interface QueueFailure {
  readonly queue: QueueName;
  readonly messages: readonly Pick<Message, 'body' | 'attempts'>[];
  readonly error: unknown;
}

/**
 * Records the error of failed messages for their possible dead letters. Never throws; an error that can't be
 * recorded is missing from the dead letter.
 */
export async function noteFailures(env: Env, { queue, messages, error }: QueueFailure): Promise<void> {
  const recorded = messages.filter(({ attempts }) => attempts >= RECORDED_FROM_ATTEMPT);
  if (recorded.length === 0) return;
  const given = recorded.map(({ body, attempts }) => ({ body: JSON.stringify(body), attempts }));
  const db = directory(env);
  const note = run(
    db,
    sql`INSERT INTO ${queueFailures} (queue, body, attempts, error, failed_at)
      SELECT ${queue}, value ->> 'body', value ->> 'attempts', ${reasonOf(error)}, ${now()}
      FROM json_each(${JSON.stringify(given)}) WHERE true
      ON CONFLICT (queue, body) DO UPDATE SET attempts = max(attempts, excluded.attempts),
        error = excluded.error, failed_at = excluded.failed_at`,
  );
  await batch(db, [note]).catch(() => log('failures_not_noted', { queue }));
}

/** Returns an error's name and message in one short line. Omits quoted parts, which may be personal data. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const [line = ''] = error.message.split('\n');
  return `${error.name}: ${line.replace(/(["'`]).*\1/g, '…')}`.slice(0, 200);
}

/** Returns the queue that a message was sent to, or `null` if it can't be derived. */
function queueOf(body: unknown): QueueName | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('queue' in body) return QUEUES.find((queue) => queue === body.queue) ?? null;
  if ('importId' in body) return 'imports';
  if ('eventId' in body) return 'webhook-events';
  return 'rebuild' in body || 'catchUp' in body ? 'search-index' : null;
}

/** Consumes the queue `dead-letters`: records and logs messages that failed on every retry. */
export async function recordDeadLetters({ messages }: MessageBatch, env: Env): Promise<void> {
  const letters = messages.map(({ id, body, timestamp }) => ({
    id,
    body: JSON.stringify(body),
    queue: queueOf(body),
    sentAt: timestamp.getTime(),
  }));
  const db = directory(env);
  const given = JSON.stringify(letters);
  await batch(db, [
    run(
      db,
      sql`INSERT INTO ${deadLetters} (id, body, queue, attempts, error, sent_at, recorded_at)
        SELECT l.value ->> 'id', l.value ->> 'body', l.value ->> 'queue', f.attempts, f.error,
          l.value ->> 'sentAt', ${now()}
        FROM json_each(${given}) l LEFT JOIN queue_failures f
          ON f.queue = l.value ->> 'queue' AND f.body = l.value ->> 'body'
        WHERE true ON CONFLICT (id) DO NOTHING`,
    ),
    run(
      db,
      sql`DELETE FROM ${queueFailures} WHERE (queue, body) IN
        (SELECT value ->> 'queue', value ->> 'body' FROM json_each(${given}))`,
    ),
  ]);
  const queues = new Set(letters.map(({ queue }) => queue ?? 'unknown'));
  log('dead_letters', { messages: letters.length, queues: [...queues] });
}

/** Sweep of dead letters older than 90 days. */
export const forgetDeadLetters = deletes(
  deadLetters,
  () => sql`${deadLetters.recordedAt} < ${now() - LETTER_RETENTION_MS}`,
);

/** Sweep of recorded errors older than two weeks. */
export const forgetFailures = deletes(
  queueFailures,
  () => sql`${queueFailures.failedAt} < ${now() - FAILURE_RETENTION_MS}`,
);

/** Returns a page of dead letters, latest first, and their total, optionally of one queue. */
export async function listDeadLetters(
  db: Database,
  { queue, ...page }: ListPage<[recordedAt: number, id: string]> & { queue?: QueueName | undefined },
): Promise<{ rows: DeadLetter[]; total: number }> {
  const which = queue && eq(deadLetters.queue, queue);
  const [at, id] = page.after ?? [];
  const { recordedAt } = deadLetters;
  const after =
    at === undefined || id === undefined
      ? undefined
      : or(lt(recordedAt, at), and(eq(recordedAt, at), gt(deadLetters.id, id)));
  const { rows, counted } = await namedBatch(db, {
    rows: db
      .select()
      .from(deadLetters)
      .where(and(which, after))
      .orderBy(desc(deadLetters.recordedAt), asc(deadLetters.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    ...unlessCounted(page, db.select({ total: count() }).from(deadLetters).where(which)),
  });
  return { rows, total: totalIn(page, counted) };
}

/**
 * Sends a dead letter's message to its queue again and deletes the letter. `dead_letter_not_found`;
 * `conflict` if its queue is unknown; `unavailable` if the queue can't be reached. Consumers are idempotent.
 */
export async function retryDeadLetter(env: Env, id: string, once: IdempotencyScope): Promise<Result<void>> {
  if (once.ref !== null) return ok(undefined);
  const db = directory(env);
  const letters = await db.select().from(deadLetters).where(eq(deadLetters.id, id));
  const [letter] = letters;
  if (!letter) return fail('dead_letter_not_found');
  if (!letter.queue) return fail('conflict', { message: 'The original queue of the message is unknown.' });
  return resend(env, { queue: letter.queue, letters }, once.mark(id));
}

/** Retries up to 100 dead letters of a queue, oldest first. Returns how many, and how many are left. */
export async function retryDeadLetters(
  env: Env,
  queue: QueueName,
  once: IdempotencyScope,
): Promise<Result<{ retried: number; remaining: number }>> {
  const db = directory(env);
  const ofQueue = eq(deadLetters.queue, queue);
  const { letters, counted } = await namedBatch(db, {
    letters: db
      .select()
      .from(deadLetters)
      .where(ofQueue)
      .orderBy(asc(deadLetters.recordedAt))
      .limit(MAX_SEND_BATCH),
    counted: db.select({ total: count() }).from(deadLetters).where(ofQueue),
  });
  const total = counted[0]?.total ?? 0;
  if (once.ref !== null) return ok({ retried: Number(once.ref), remaining: total });
  const sent = await resend(env, { queue, letters }, once.mark(String(letters.length)));
  return sent.ok ? ok({ retried: letters.length, remaining: total - letters.length }) : sent;
}

/** Sends before deleting: after a crash in between, messages are sent twice rather than lost. */
async function resend(
  env: Env,
  { queue, letters }: { readonly queue: QueueName; readonly letters: readonly DeadLetter[] },
  marks: readonly Statement[],
): Promise<Result<void>> {
  const bodies = letters.map(({ body }) => ({ body }));
  try {
    if (bodies.length > 0) await producerOf(env, queue).sendBatch(bodies);
  } catch {
    return fail('unavailable');
  }
  const ids = letters.map(({ id }) => id);
  const db = directory(env);
  const forget = db
    .delete(deadLetters)
    .where(and(eq(deadLetters.queue, queue), sql`id IN (${jsonList(ids)})`));
  await batch(db, [...marks, forget]);
  return ok(undefined);
}

/** Returns the binding that sends to a queue. */
function producerOf(env: Env, queue: QueueName): Queue {
  const producers = {
    'webhook-events': env.WEBHOOK_QUEUE,
    'search-index': env.SEARCH_QUEUE,
    imports: env.IMPORT_QUEUE,
  } satisfies Record<QueueName, Queue>;
  return producers[queue];
}
