import { env } from 'cloudflare:workers';
import { onTestFinished, vi } from 'vitest';
import { areOfOthers } from './database-usage.ts';

/**
 * Watches how many batches of the test with a statement like this run at once, until it ends. D1's statements have their
 * text.
 */
export function watchBatches(like: RegExp) {
  const isLike = (statements: D1PreparedStatement[]): boolean =>
    statements.some((one) => 'statement' in one && like.test(String(one.statement))) &&
    !areOfOthers(statements);
  const session: D1DatabaseSession = Object.getPrototypeOf(env.DB.withSession());
  const real = session.batch;
  const seen = { running: 0, most: 0 };
  const spy = vi.spyOn(session, 'batch').mockImplementation(async function <T>(
    this: D1DatabaseSession,
    statements: D1PreparedStatement[],
  ) {
    const ofList = isLike(statements) ? 1 : 0;
    seen.running += ofList;
    seen.most = Math.max(seen.most, seen.running);
    try {
      return await real.call<D1DatabaseSession, [D1PreparedStatement[]], Promise<D1Result<T>[]>>(
        this,
        statements,
      );
    } finally {
      seen.running -= ofList;
    }
  });
  onTestFinished(() => spy.mockRestore());
  return seen;
}
