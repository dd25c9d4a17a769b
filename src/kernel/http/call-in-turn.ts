import type { Context } from 'hono';
import { inTurn, learnSize } from '../async/memory-turns.ts';
import type { App } from './context.ts';
import type { EndpointSpec } from './endpoint.ts';
import { problem } from './problem.ts';

/**
 * Responds to a read once the isolate has memory for it. Reads whose like (the same endpoint, `limit` and `include`) were
 * small so far, and those of no tenant, wait for nothing. 503 `unavailable` if others take all memory for five seconds.
 */
export async function readInTurn(
  c: Context<App>,
  { path, waits }: EndpointSpec,
  read: () => Promise<Response>,
): Promise<Response> {
  const caller = c.get('caller');
  if (!caller) return read();
  const { limit = '', include = '' } = c.req.query();
  const kind = { tenantId: caller.tenantId, name: waits ? path : `${path} ${limit} ${include}` };
  const response = waits ? await read() : await inTurn(kind, read);
  if (!response) return problem(c, { code: 'unavailable' });
  const length = c.get('bodyLength');
  // An error says nothing of what a read takes, and the length of a file that is sent in parts is not known.
  if (response.status < 400 && length !== undefined) learnSize(kind, length);
  return response;
}
