import { noteFailures } from '../events/index.ts';
import { retryDelay } from '../kernel/async/retry.ts';
import { DAY, HOUR, MINUTE } from '../kernel/core/clock.ts';
import { errorName, log } from '../kernel/core/log.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { batch, isOutage } from '../kernel/data/database.ts';
import { type Runtime, type TenantContext, tenantContext } from '../kernel/data/tenant-context.ts';
import { backgroundWork } from '../tenants/index.ts';
import { discardImport } from './file.ts';
import { abandonStatements, errorStatements, reopenAbandoned } from './progress.ts';
import { runImport } from './run/run-import.ts';
import { ImportMessage, MAX_LISTED_ERRORS } from './schemas.ts';
import { listStale, loadImport, takeIdle, UNFINISHED } from './store.ts';

/** Enqueues an import. {@link resumeImports} enqueues it again if the message is lost. */
export const enqueue = (env: Env, message: ImportMessage): Promise<unknown> => env.IMPORT_QUEUE.send(message);

/**
 * Consumes the import queue: each message imports a part of the file and enqueues the next part. While the database
 * can't be reached, a message is retried with growing delays; what fails otherwise is a dead letter within minutes.
 */
export async function consumeImports(batch: MessageBatch, env: Env, ctx: Runtime['ctx']): Promise<void> {
  for (const message of batch.messages) {
    const body = ImportMessage.parse(message.body);
    try {
      const work = backgroundWork({ env, ctx }, body.tenantId);
      await reopenAbandoned(work.ctx, body.importId);
      if (await runImport(work.ctx, body.importId, work.pause)) await enqueue(env, body);
      message.ack();
    } catch (error) {
      await noteFailures(env, { queue: 'imports', messages: [message], error });
      if (!isOutage(error)) throw error;
      message.retry({ delaySeconds: retryDelay(message.attempts) });
    }
  }
}

/**
 * Handles the import queue's dead letters: fails their imports with an error. The files are kept, so a
 * message that is sent again resumes the import. Ignores other queues' messages. Retries the letter of a tenant whose
 * database can't be reached, so that it doesn't stop the others of its batch.
 */
export async function abandonImports(
  { messages }: MessageBatch,
  env: Env,
  ctx: Runtime['ctx'],
): Promise<void> {
  for (const message of messages) {
    const { data } = ImportMessage.safeParse(message.body);
    if (!data) continue;
    try {
      await abandonImport(tenantContext({ env, ctx }, data.tenantId), data.importId);
    } catch (error) {
      log('import_not_abandoned', { tenant: data.tenantId, name: errorName(error) });
      message.retry({ delaySeconds: retryDelay(message.attempts) });
    }
  }
}

/** Fails an import with an error, unless it is over. */
async function abandonImport(tenant: TenantContext, importId: string): Promise<void> {
  const row = await loadImport(tenant, importId);
  if (!row || !UNFINISHED.includes(row.status)) return;
  const last = { line: row.line, sku: null, field: null, message: ABANDONED };
  const errors = [...row.errors.slice(0, MAX_LISTED_ERRORS - 1), last];
  await batch(tenant.db, [
    ...abandonStatements(tenant, { ...row, errors, failed: row.failed + 1 }),
    ...errorStatements(tenant, row.id, { from: row.failed, errors: [last] }),
  ]);
}

const ABANDONED =
  'The import stopped at this line because of an internal error. Earlier lines are imported; send the file again for the rest.';

/** Largest number of imports that one step resumes, and that one step deletes with their files. */
const MAX_RESUMED_PER_STEP = 50;
const MAX_DELETED_PER_STEP = 10;
/** An unfinished import without progress for this long (ms) has lost its queue message. */
const IDLE_TIMEOUT_MS = 5 * MINUTE;
/** Retention of aborted uploads after their last chunk, and of imports after their end (ms). */
const RETENTION_MS = { aborted: HOUR, ended: 30 * DAY };

/** Chore that enqueues imports whose queue message was lost. */
export const resumeImports: Chore = async ({ env, db }) => {
  const idle = await takeIdle(db, IDLE_TIMEOUT_MS, MAX_RESUMED_PER_STEP);
  for (const message of idle) await enqueue(env, message);
  return { more: idle.length < MAX_RESUMED_PER_STEP ? undefined : {} };
};

/** Chore that deletes aborted uploads and ended imports with their files. */
export const forgetImports: Chore = async ({ db }) => {
  const stale = await listStale(db, RETENTION_MS, MAX_DELETED_PER_STEP);
  for (const { tenantId, id } of stale) await discardImport({ db, tenantId }, id);
  return { more: stale.length < MAX_DELETED_PER_STEP ? undefined : {} };
};
