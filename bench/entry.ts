/** The service with counting bindings, and with benchmark tools below /bench. This entry is never deployed. */

import service from '../src/index.ts';
import { counted, taken } from './counting.ts';
import { batchOf, indexStep } from './filling.ts';

export * from '../src/index.ts';

type Answer = Response | Promise<Response>;

const TOOLS: Readonly<Record<string, (env: Env, request: Request) => Answer>> = {
  '/bench/counts': () => Response.json(taken()),
  '/bench/plans': async (env) => Response.json(await plans(env)),
  '/bench/trips': async (env) => Response.json(await twoTrips(env)),
  '/bench/index': async (env, request) => Response.json(await indexStep(env, await request.json())),
  '/bench/fill': async (env, request) => Response.json(await batchOf(env, await request.json())),
};

/** Returns the query plan of each distinct query since the last reset of the counts. */
async function plans(env: Env): Promise<{ sql: string; plan: string[] }[]> {
  const seen = new Map(taken().queries.map((query) => [query.sql, query]));
  return Promise.all(
    [...seen.values()].map(async ({ database, sql, params }) => {
      const explained = env[database].prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...params);
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
    return tool ? tool(env, request) : service.fetch(request, counted(env), ctx);
  },
};
