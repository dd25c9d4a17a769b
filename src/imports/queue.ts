import { noteFailures } from '../events/index.ts';
import { DAY, HOUR, MINUTE } from '../kernel/core/clock.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { batch, database } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/data/tenant-context.ts';
import { runImport } from './job.ts';
import { ImportMessage, MAX_ERRORS } from './schemas.ts';
import {
  abandonStatements,
  discardImport,
  listStale,
  loadImport,
  reopenAbandoned,
  takeIdle,
  UNFINISHED,
} from './store.ts';

/** Enqueues an import. {@link resumeImports} enqueues it again if the message is lost. */
export const enqueue = (env: Env, message: ImportMessage): Promise<unknown> => env.IMPORT_QUEUE.send(message);

/** Consumes the import queue: each message imports a part of the file and enqueues the next part. */
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
 * Handles the import queue's dead letters: fails their imports with an error. The files are kept, so a
 * message that is sent again resumes the import. Ignores other queues' messages.
 */
export async function abandonImports({ messages }: MessageBatch, env: Env): Promise<void> {
  const db = database(env);
  for (const { body } of messages) {
    const message = ImportMessage.safeParse(body);
    const row =
      message.success && (await loadImport({ db, tenantId: message.data.tenantId }, message.data.importId));
    if (!row || !UNFINISHED.includes(row.status)) continue;
    const errors = [...row.errors, { line: row.line, message: ABANDONED }].slice(-MAX_ERRORS);
    await batch(db, abandonStatements(db, { ...row, errors, failed: row.failed + 1 }));
  }
}

const ABANDONED =
  'The import stopped at this line because of an internal error. Earlier lines are imported; send the file again for the rest.';

/** Batch sizes of one run: imports resumed, and imports deleted with their files. */
const RESUMED_AT_ONCE = 50;
const DELETED_AT_ONCE = 10;

/** Enqueues imports whose queue message was lost. */
export const resumeImports: Chore = async ({ env }) => {
  const idle = await takeIdle(database(env), 5 * MINUTE, RESUMED_AT_ONCE);
  for (const message of idle) await enqueue(env, message);
  return { more: idle.length < RESUMED_AT_ONCE ? undefined : {} };
};

/** Deletes aborted uploads after an hour, and imports 30 days after their end. */
export const forgetImports: Chore = async ({ env }) => {
  const db = database(env);
  const stale = await listStale(db, HOUR, 30 * DAY, DELETED_AT_ONCE);
  for (const { tenantId, id } of stale) await discardImport({ db, tenantId }, id);
  return { more: stale.length < DELETED_AT_ONCE ? undefined : {} };
};
