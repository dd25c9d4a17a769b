import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

/** The bindings of a Worker with the object. */
export interface Bindings {
  readonly THINGS: DurableObjectNamespace<Thing>;
}

/** One row: each write replaces it. */
export class Thing extends DurableObject<Bindings> {
  private readonly sql = this.ctx.storage.sql;

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    this.sql.exec('CREATE TABLE IF NOT EXISTS things (id INTEGER PRIMARY KEY, json TEXT NOT NULL)');
  }

  write(json: string): string {
    this.sql.exec('INSERT OR REPLACE INTO things (id, json) VALUES (1, ?)', json);
    return json;
  }

  read(): string | null {
    const [row] = this.sql.exec<{ json: string }>('SELECT json FROM things WHERE id = 1').toArray();
    return row?.json ?? null;
  }
}

/** Returns the object of a name. */
export const thing = ({ THINGS }: Bindings, name: string) => THINGS.getByName(name);

/** The framework, and one Durable Object call with one durable write or read, of a small body without headers. */
const app = new Hono<{ Bindings: Bindings }>();
app.post('/:name', async (c) => {
  const json = await thing(c.env, c.req.param('name')).write(await c.req.text());
  return c.body(json, 200, { 'Content-Type': 'application/json' });
});
app.get('/:name', async (c) => {
  const json = await thing(c.env, c.req.param('name')).read();
  return json === null ? c.notFound() : c.body(json, 200, { 'Content-Type': 'application/json' });
});

export default app;
