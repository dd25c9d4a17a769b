import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

const session: D1DatabaseSession = Object.getPrototypeOf(env.DB.withSession());

/** Runs `work`; returns the characters of the largest result of a batch that ran meanwhile, all of which is in memory. */
export async function largestBatch(work: () => Promise<unknown>): Promise<number> {
  let largest = 0;
  const { batch } = session;
  const spy = vi.spyOn(session, 'batch').mockImplementation(async function <T>(
    this: D1DatabaseSession,
    statements: D1PreparedStatement[],
  ) {
    const results = (await batch.call(this, statements)) as D1Result<T>[];
    largest = Math.max(largest, JSON.stringify(results).length);
    return results;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return largest;
}
