import type { Context } from 'hono';
import type { App, HeaderFields } from './context.ts';
import { problem } from './problem.ts';

/** Responds with the requested static file and these additional header fields, or with `not_found`. */
export async function staticFile(c: Context<App>, fields: HeaderFields): Promise<Response> {
  const file = await c.env.ASSETS.fetch(c.req.raw);
  if (file.status === 404) return problem(c, { code: 'not_found' });
  const response = new Response(file.body, file);
  const all = { 'X-Request-Id': c.get('requestId'), 'X-Content-Type-Options': 'nosniff', ...fields };
  for (const [name, value] of Object.entries(all)) response.headers.set(name, value);
  return response;
}
