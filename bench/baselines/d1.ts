/** A statement and its parameters. */
interface Query {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** Runs the statements of a POST as one batch, and nothing else. Responds with their number. */
export default {
  async fetch(request: Request, { DB }: { readonly DB: D1Database }): Promise<Response> {
    // The benchmark sends what the service's own read has run.
    const queries = (await request.json()) as readonly Query[];
    const results = await DB.batch(queries.map(({ sql, params }) => DB.prepare(sql).bind(...params)));
    return new Response(String(results.length));
  },
};
