import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { areOthers } from '../runtime/own-tenants.ts';

// The classes of a session and of its statements are known by their objects alone.
const session: D1DatabaseSession = Object.getPrototypeOf(env.DB.withSession());
const statement: D1PreparedStatement = Object.getPrototypeOf(env.DB.prepare('SELECT 1'));

/** The rows that D1 reports as written and read (`meta.rows_written`, `meta.rows_read`). */
export interface DatabaseUsage {
  /** All rows written, those of indexes included. */
  readonly written: number;
  readonly read: number;
  /** The most rows that one batch, or one statement by itself, wrote. */
  readonly mostWritten: number;
  /** How many statements were sent, those of refused batches included. */
  readonly statements: number;
}

/** Returns whether statements are about other tests' tenants alone. D1's objects have their parameters. */
export const areOfOthers = (statements: readonly D1PreparedStatement[]): boolean =>
  areOthers(statements.flatMap((one) => ('params' in one && Array.isArray(one.params) ? one.params : [])));

/**
 * Runs `work`; returns what everything that ran meanwhile, queue consumers included, wrote and read, but for work that
 * earlier tests left behind.
 */
export async function measureDatabase(work: () => Promise<unknown>): Promise<DatabaseUsage> {
  const total = { written: 0, read: 0, mostWritten: 0, statements: 0 };
  const count = (results: readonly D1Result[]) => {
    const written = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    total.written += written;
    total.mostWritten = Math.max(total.mostWritten, written);
    total.read += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
  };
  const { batch } = session;
  const { all, raw, run } = statement;
  const spies = [
    vi.spyOn(session, 'batch').mockImplementation(async function <T>(
      this: D1DatabaseSession,
      statements: D1PreparedStatement[],
    ) {
      if (areOfOthers(statements)) return batch.call(this, statements) as Promise<D1Result<T>[]>;
      total.statements += statements.length;
      const results = (await batch.call(this, statements)) as D1Result<T>[];
      count(results);
      return results;
    }),
    vi.spyOn(statement, 'all').mockImplementation(async function <T>(this: D1PreparedStatement) {
      if (areOfOthers([this])) return all.call(this) as Promise<D1Result<T>>;
      total.statements += 1;
      const result = (await all.call(this)) as D1Result<T>;
      count([result]);
      return result;
    }),
    // What this returns has no figures: it is used for reading, by ids.
    vi.spyOn(statement, 'raw').mockImplementation(function (this: D1PreparedStatement) {
      if (!areOfOthers([this])) total.statements += 1;
      return raw.call(this);
    } as D1PreparedStatement['raw']),
    vi.spyOn(statement, 'run').mockImplementation(async function <T>(this: D1PreparedStatement) {
      if (areOfOthers([this])) return run.call(this) as Promise<D1Result<T>>;
      total.statements += 1;
      const result = (await run.call(this)) as D1Result<T>;
      count([result]);
      return result;
    }),
  ];
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return total;
}

/** Runs `work`; returns the characters of the largest response of a database meanwhile. */
export async function largestResponse(work: () => Promise<unknown>): Promise<number> {
  let largest = 0;
  const note = async <T>(response: Promise<T>): Promise<T> => {
    largest = Math.max(largest, JSON.stringify(await response).length);
    return response;
  };
  const { batch } = session;
  const { all, raw } = statement;
  const spies = [
    vi.spyOn(session, 'batch').mockImplementation(function <T>(
      this: D1DatabaseSession,
      list: D1PreparedStatement[],
    ) {
      return note(batch.call(this, list) as Promise<D1Result<T>[]>); // `call` loses the type
    }),
    vi.spyOn(statement, 'all').mockImplementation(function <T>(this: D1PreparedStatement) {
      return note(all.call(this) as Promise<D1Result<T>>); // `call` loses the type
    }),
    vi.spyOn(statement, 'raw').mockImplementation(function (this: D1PreparedStatement) {
      return note(raw.call(this) as Promise<[string[]]>); // `call` loses the type
    }),
  ];
  await work();
  for (const spy of spies) spy.mockRestore();
  return largest;
}
