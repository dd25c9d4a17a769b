import type { Runtime } from '../kernel/call.ts';
import { DAY, HOUR, MINUTE } from '../kernel/clock.ts';
import { batch, database } from '../kernel/database.ts';
import { noteFailures } from '../webhooks/index.ts';
import { runImport } from './job.ts';
import { ImportMessage, MAX_ERRORS } from './schemas.ts';
import {
  abandonStatements,
  discardImport,
  listStale,
  loadImport,
  OPEN,
  reopenAbandoned,
  takeIdle,
} from './store.ts';

/** Tells the queue of an import. What is lost here, {@link sweepImports} finds. */
export const enqueue = (env: Env, message: ImportMessage): Promise<unknown> => env.IMPORT_QUEUE.send(message);

/** The consumer of the import queue: a piece of the file for each message, then a message for the next. */
export async function consumeImports(batch: MessageBatch, env: Env, ctx: Runtime['ctx']): Promise<void> {
  for (const message of batch.messages) {
    const body = ImportMessage.parse(message.body);
    try {
      await reopenAbandoned(database(env), body);
      if (await runImport({ env, ctx }, body)) await enqueue(env, body);
    } catch (error) {
      await noteFailures(env, 'imports', [message], error);
      throw error;
    }
    message.ack();
  }
}

/**
 * For messages that failed to the end of their retries: their imports end where they stand, and say so. Their
 * files stay, so that a message that is sent again goes on from there.
 * What other queues have sent is left alone.
 */
export async function abandonImports({ messages }: MessageBatch, env: Env): Promise<void> {
  const db = database(env);
  for (const { body } of messages) {
    const message = ImportMessage.safeParse(body);
    const row = message.success && (await loadImport(db, message.data.tenantId, message.data.importId));
    if (!row || !OPEN.includes(row.status)) continue;
    const errors = [...row.errors, { line: row.line, message: ABANDONED }].slice(-MAX_ERRORS);
    await batch(db, abandonStatements(db, { ...row, errors, failed: row.failed + 1 }));
  }
}

const ABANDONED =
  'The import stopped here by an error on our side. What comes before is done; send the file again for the rest.';

/**
 * For the minute's cron: starts again what the queue has lost, and forgets uploads that broke off (an hour
 * after their last chunk) and imports that have been over for 30 days.
 */
export async function sweepImports(env: Env): Promise<void> {
  const db = database(env);
  for (const message of await takeIdle(db, 5 * MINUTE)) await enqueue(env, message);
  for (const { tenantId, id } of await listStale(db, HOUR, 30 * DAY)) await discardImport(db, tenantId, id);
}
