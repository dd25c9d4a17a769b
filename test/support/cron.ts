/** The minute's cron and the messages that it causes, delivered at once. */
import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import worker from '../../src/index.ts';
import type { MaintenanceMessage } from '../../src/maintenance/index.ts';

/** No cron of a test needs more messages: a chore that never ends fails. */
const MAX_MESSAGES = 2_000;

/** How messages are delivered. */
export interface Delivery {
  readonly bindings?: Env;
  /** Returns the messages to deliver in place of one: none (lost), or several (repeated). */
  readonly deliver?: (message: MaintenanceMessage) => readonly MaintenanceMessage[];
}

/**
 * Runs the minute's cron and all that it enqueues, one message after the other, until the queue is empty.
 * The queue is one in memory, so that a test with a moved clock knows when all is done, and can lose and
 * repeat messages. Returns the messages in the order in which they were delivered.
 */
export async function runCron({
  bindings = env,
  deliver = (one) => [one],
}: Delivery = {}): Promise<MaintenanceMessage[]> {
  const waiting: MaintenanceMessage[] = [];
  const delivered: MaintenanceMessage[] = [];
  const sendBatch = async (messages: Iterable<{ body: MaintenanceMessage }>) => {
    for (const { body } of messages) waiting.push(body);
  };
  const collecting = { ...bindings, MAINTENANCE_QUEUE: { sendBatch } } as unknown as Env; // all that is called
  const minute = { scheduledTime: Date.now(), cron: '* * * * *', noRetry: () => undefined };
  // A run that fails with bindings that may fail has enqueued what it could.
  await worker.scheduled(minute, collecting).catch((error: unknown) => {
    if (bindings === env) throw error;
  });
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const body of deliver(next)) {
      if (delivered.push(body) > MAX_MESSAGES) throw new Error(`The chore ${body.chore} does not end`);
      const message = { id: String(delivered.length), timestamp: new Date(), attempts: 1, body };
      const ctx = createExecutionContext();
      await worker.queue(createMessageBatch('maintenance', [message]), collecting, ctx);
      await waitOnExecutionContext(ctx);
    }
  }
  return delivered;
}
