import { noteFailures } from '../events/index.ts';
import { DAY, HOUR, MINUTE } from '../kernel/core/clock.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { batch, database } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
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

/** Tells the queue of an import. What is lost here, {@link resumeImports} finds. */
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

/** So many imports are resumed, and so many deleted with their files, in one step. */
const RESUMED_AT_ONCE = 50;
const DELETED_AT_ONCE = 10;

/** The chore that starts again imports that the queue has lost. */
export const resumeImports: Chore = async ({ env }) => {
  const idle = await takeIdle(database(env), 5 * MINUTE, RESUMED_AT_ONCE);
  for (const message of idle) await enqueue(env, message);
  return { more: idle.length < RESUMED_AT_ONCE ? undefined : {} };
};

/** The chore that deletes uploads that broke off (after an hour), and imports 30 days after their end. */
export const forgetImports: Chore = async ({ env }) => {
  const db = database(env);
  const stale = await listStale(db, HOUR, 30 * DAY, DELETED_AT_ONCE);
  for (const { tenantId, id } of stale) await discardImport(db, tenantId, id);
  return { more: stale.length < DELETED_AT_ONCE ? undefined : {} };
};
