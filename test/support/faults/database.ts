import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { areOthers } from '../runtime/own-tenants.ts';
import { connectionLost } from './injector.ts';

/** What D1 sends of a statement: the driver's object has its text and its parameters. */
type Sent = D1PreparedStatement & { readonly statement: string; readonly params: readonly unknown[] };

// D1's classes are not exported, so the spies replace methods of their prototypes. Every batch runs on a session;
// statements are prepared by either.
const session: D1DatabaseSession = Object.getPrototypeOf(env.DB.withSession());
const database: Pick<D1DatabaseSession, 'prepare'> = Object.getPrototypeOf(env.DB);

/** Commits the next batch with a matching statement but loses its response; later batches are normal. */
export const loseResponse = (like: RegExp): void => afterBatch(like, () => Promise.reject(connectionLost()));

/** Refuses the next batch with a matching statement; later batches are normal. */
export const refuseBatch = (like: RegExp): void => beforeBatch(like, () => Promise.reject(connectionLost()));

/** Fails every matching statement before it takes effect, until the returned function is called. */
export const failStatements = (like: RegExp): (() => void) =>
  watchStatements((text) => {
    if (like.test(text)) throw new Error(`D1_ERROR: overloaded (${text})`);
  });

/** Calls `see` with each statement that is prepared for any database, until the returned function is called. */
export function watchStatements(see: (text: string) => void): () => void {
  const spies = [session, database].map((target) => {
    const real = target.prepare;
    return vi.spyOn(target, 'prepare').mockImplementation(function (this: D1DatabaseSession, text) {
      see(text);
      return real.call(this, text);
    });
  });
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

/** Runs `work` just before the next batch with a matching statement. */
export const beforeBatch = (like: RegExp, work: () => Promise<void>): void =>
  aroundBatch(like, async (commit) => {
    await work();
    return commit();
  });

/** Runs `work` between the commit of the next batch with a matching statement and its response. */
export const afterBatch = (like: RegExp, work: () => Promise<void>): void =>
  aroundBatch(like, async (commit) => {
    const answer = await commit();
    await work();
    return answer;
  });

/**
 * Loses the next batch with a matching statement on its way: its caller sees an outage. Returns the function that
 * commits it after all.
 */
export function delayBatch(like: RegExp): () => Promise<unknown> {
  let late: () => Promise<unknown> = () => Promise.reject(new Error('No batch was sent'));
  aroundBatch(like, (commit) => {
    late = commit;
    return Promise.reject(connectionLost());
  });
  return () => late();
}

/** Runs `around` in place of the next batch with a matching statement that is not about other tests' tenants. */
function aroundBatch(like: RegExp, around: <T>(commit: () => Promise<T>) => Promise<T>): void {
  const real = session.batch;
  const spy = vi.spyOn(session, 'batch').mockImplementation(async function <T>(
    this: D1DatabaseSession,
    statements: D1PreparedStatement[],
  ) {
    const commit = () =>
      real.call<D1DatabaseSession, [D1PreparedStatement[]], Promise<D1Result<T>[]>>(this, statements);
    const sent = statements as Sent[]; // what the driver made of prepare(), see above
    const isAwaited = sent.some(({ statement }) => like.test(statement));
    if (!isAwaited || areOthers(sent.flatMap(({ params }) => params))) return commit();
    spy.mockRestore();
    return around(commit);
  });
}

/**
 * Runs `work` just before the next matching statement that is run by itself, and before its caller goes on. Resolves when
 * the work is done.
 */
export function beforeRun(like: RegExp, work: () => Promise<void>): Promise<void> {
  const statement: Sent = Object.getPrototypeOf(env.DB.prepare('SELECT 1'));
  const real = statement.run;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const spy = vi.spyOn(statement, 'run').mockImplementation(async function <T>(this: Sent) {
    if (like.test(this.statement) && !areOthers(this.params)) {
      spy.mockRestore();
      await work().then(resolve, reject);
    }
    return real.call<Sent, [], Promise<D1Result<T>>>(this);
  });
  return promise;
}

/** The statement that stores a response by its Idempotency-Key. */
export const STORES_RESPONSE = /update "idempotency_keys" set "fingerprint" = \?, "answer"/i;
