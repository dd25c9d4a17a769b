import { type Asked, DATABASES, type Responded } from './remote-database.ts';

/** Runs what {@link RemoteDatabase} asks for in the databases that it has. */
export default {
  async fetch(request: Request, env: Readonly<Record<string, D1Database>>): Promise<Response> {
    // The other Workers of the benchmark alone call this one.
    const asked = (await request.json()) as Asked;
    const bound = DATABASES.includes(asked.database) ? env[asked.database] : undefined;
    if (!bound) return new Response(null, { status: 404 });
    return Response.json(await run(bound, asked));
  },
};

async function run(bound: D1Database, { session, statements, raw }: Asked): Promise<Responded> {
  const client = session === undefined ? bound : bound.withSession(session);
  const prepared = statements.map(({ sql, params }) => client.prepare(sql).bind(...params));
  const [first] = prepared;
  const begun = performance.now();
  try {
    const results = raw && first ? await first.raw() : await client.batch(prepared);
    if (!raw)
      for (const { meta } of results as D1Result[])
        meta.duration = (performance.now() - begun) / results.length;
    return { results, bookmark: 'getBookmark' in client ? client.getBookmark() : null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
