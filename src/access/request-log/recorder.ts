import { type CallCount, hourOf } from '../../insights/index.ts';
import { now } from '../../kernel/core/clock.ts';
import type { Runtime } from '../../kernel/data/tenant-context.ts';
import { type ApplicationName, applicationKey } from '../token.ts';
import { batchOf, type CallRecord, MAX_LOGGED_CALLS } from './call-record.ts';
import { requestLogOf } from './log-client.ts';

/**
 * How long (ms) an isolate gathers an application's calls: it calls the application's log once in this time at most.
 */
export const FLUSH_INTERVAL_MS = 1_000;
let interval = FLUSH_INTERVAL_MS;
/** From this many calls in an interval on, an application is busy, and its calls are gathered for five intervals. */
export const BUSY_CALLS = 40;
const BUSY_INTERVALS = 5;

/** Replaces {@link FLUSH_INTERVAL_MS} by `ms`. For tests only. */
export const flushEvery = (ms: number): void => {
  interval = ms;
};

/** A flush that has not begun after this many ms never will: the request that carried it was cancelled. */
const ABANDONED_AFTER_MS = 2 * BUSY_INTERVALS * FLUSH_INTERVAL_MS;
/** The most calls that an isolate holds back for all applications (about 4 MB); further ones are not logged. */
const MAX_HELD_CALLS = 30_000;

/** Numbers of calls. */
type CallTotals = Omit<CallCount, 'start'>;

/** The calls of one application that its log doesn't have yet. */
interface PendingCalls {
  readonly application: ApplicationName;
  readonly since: number;
  calls: CallRecord[];
  /** How many calls there were, including those that the isolate doesn't hold. */
  readonly count: Record<keyof CallTotals, number>;
}

const pendingByApplication = new Map<string, PendingCalls>();
let held = 0;

/**
 * Logs a call of an application. Costs the request nothing but memory: calls are gathered for a second, those of a
 * busy application for five, and sent after the response. Those that an isolate holds when it ends are lost.
 */
export function recordCall(runtime: Runtime, application: ApplicationName, call: CallRecord): void {
  const key = applicationKey(application);
  let current = pendingByApplication.get(key);
  if (!current || call.at - current.since >= ABANDONED_AFTER_MS) {
    const { calls = [], count = { calls: 0, clientErrors: 0, serverErrors: 0 } } = current ?? {};
    current = { application, since: call.at, calls, count };
    pendingByApplication.set(key, current);
    runtime.ctx.waitUntil(flushLater(runtime.env, key, current));
  }
  add(current, call);
}

/** Counts a call and keeps it, in the end only the newest, which the log would keep. */
function add(to: PendingCalls, call: CallRecord): void {
  to.count.calls += 1;
  if (call.status >= 500) to.count.serverErrors += 1;
  else if (call.status >= 400) to.count.clientErrors += 1;
  if (held >= MAX_HELD_CALLS) return;
  held += 1;
  to.calls.push(call);
  if (to.calls.length < 2 * MAX_LOGGED_CALLS) return;
  to.calls = to.calls.slice(-MAX_LOGGED_CALLS);
  held -= MAX_LOGGED_CALLS;
}

async function flushLater(env: Env, key: string, pending: PendingCalls): Promise<void> {
  await scheduler.wait(interval);
  if (pending.count.calls >= BUSY_CALLS) await scheduler.wait((BUSY_INTERVALS - 1) * interval);
  // A later request has taken over, because this one was late.
  if (pendingByApplication.get(key) !== pending) return;
  pendingByApplication.delete(key);
  held -= pending.calls.length;
  // A log that can't be reached loses these calls; keeping them could exhaust the isolate's memory.
  await requestLogOf(env, pending.application)
    .append(pending.application, batchOf(pending.calls, { start: hourOf(pending.since), ...pending.count }))
    .catch(() => undefined);
}

/** Measures a call: returns the ms since `startedAt`. */
export const elapsed = (startedAt: number): number => Math.max(0, now() - startedAt);
