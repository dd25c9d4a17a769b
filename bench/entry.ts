/** The service with counting bindings, and with benchmark tools below /bench. This entry is never deployed. */

import service, { ListIndex as Index } from '../src/index.ts';
import { counted, taken } from './counting.ts';

export * from '../src/index.ts';

/** The list index, whose reads of the database count as well. */
export class ListIndex extends Index {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, counted(env));
  }
}

type Answer = Response | Promise<Response>;

const TOOLS: Readonly<Record<string, (env: Env) => Answer>> = {
  '/bench/counts': () => Response.json(taken()),
  '/bench/plans': async (env) => Response.json(await plans(env)),
  '/bench/trips': async (env) => Response.json(await twoTrips(env)),
};

/** Returns the query plan of each distinct query since the last reset of the counts. */
async function plans(env: Env): Promise<{ sql: string; plan: string[] }[]> {
  const seen = new Map(taken().queries.map((query) => [query.sql, query]));
  return Promise.all(
    [...seen.values()].map(async ({ database, sql, params }) => {
      // A binding that counted.ts has counted as a database.
      const bound: D1Database = Reflect.get(env, database);
      const explained = bound.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...params);
      const { results } = await explained.all<{ detail: string }>();
      return { sql, plan: results.map(({ detail }) => detail) };
    }),
  );
}

/** Runs two bare round trips to the database: one read and one write. */
async function twoTrips({ DB }: Env): Promise<{ last: number | null }> {
  const last = await DB.prepare('SELECT last FROM order_counters WHERE tenant_id = 1').first<number>('last');
  await DB.prepare('INSERT OR REPLACE INTO order_counters (tenant_id, last) VALUES (1, ?)')
    .bind((last ?? 0) + 1)
    .run();
  return { last };
}

export default {
  ...service,
  fetch(request: Request, env: Env, ctx: ExecutionContext): Answer {
    const tool = TOOLS[new URL(request.url).pathname];
    return tool ? tool(env) : service.fetch(request, counted(env), ctx);
  },
};
