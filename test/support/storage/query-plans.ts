import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

// The class of a database is known by its objects alone.
const database: D1Database = Object.getPrototypeOf(env.DB);

/** Runs `work`, and returns the plan of each statement that it sends, under its text. */
export async function plansOf(work: () => Promise<unknown>): Promise<Map<string, string[]>> {
  const { prepare } = database;
  const sent = new Map<string, D1Database>();
  const spy = vi.spyOn(database, 'prepare').mockImplementation(function (this: D1Database, sql) {
    sent.set(sql, this);
    return prepare.call(this, sql);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  const plans = [...sent].map(async ([sql, at]) => {
    const explained = at.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...nullsFor(sql));
    const { results } = await explained.all<{ detail: string }>();
    return [sql, results.map(({ detail }) => detail)] as const;
  });
  return new Map(await Promise.all(plans));
}

/** Returns a value for each parameter: what runs beside may number its own, and use one twice. */
function nullsFor(sql: string): null[] {
  const numbers = Array.from(sql.matchAll(/\?(\d*)/g), ([, number]) => Number(number));
  const highest = Math.max(0, ...numbers);
  return new Array<null>(highest === 0 ? numbers.length : highest).fill(null);
}
