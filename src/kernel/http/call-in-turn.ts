import type { Context } from 'hono';
import { inTurn, learnSize } from '../async/memory-turns.ts';
import { toItsEnd } from '../async/to-its-end.ts';
import { isRecent, now } from '../core/clock.ts';
import type { Failure } from '../core/errors.ts';
import { meterDatabases } from '../data/metered-databases.ts';
import { countRows, rowsRefusal } from '../data/row-allowance.ts';
import { RECHECK_AFTER_MS } from '../input/body.ts';
import type { App } from './context.ts';
import type { EndpointSpec } from './endpoint.ts';
import { problem } from './problem.ts';

/** Returns whether calls of an endpoint may hold much memory: reads, and what loads products to change them. */
const mayHoldMuch = ({ method, access, stream }: EndpointSpec): boolean =>
  method === 'get' || (access === 'catalog:write' && !stream);

/** A call, and what repeats the checks of its headers. */
interface CheckedCall {
  readonly call: () => Promise<Response>;
  readonly recheck: () => Promise<Failure | null>;
}

/** Makes a call that may read many rows, and counts them; 429 `rate_limited` while its tenant's calls have read too many. */
async function callWithinRows(
  c: Context<App>,
  tenantId: number,
  call: () => Promise<Response>,
): Promise<Response> {
  const refusal = rowsRefusal(tenantId);
  if (refusal) return problem(c, refusal.failure);
  const meter = meterDatabases(c.env);
  c.env = meter.env;
  // The database reads on for a client that disconnects.
  return toItsEnd(
    c.executionCtx,
    call().finally(() => countRows(tenantId, meter.take().rows)),
  );
}

/**
 * Names the kind of a call by its validated query: spelled otherwise, the same list would be of another kind, whose size
 * is not known, and each name would be kept.
 */
function kindName(c: Context<App>, { method, path }: EndpointSpec): string {
  // Hono's types know only validators of the route's own declaration; mount() has added this one.
  const {
    limit = '',
    include = '',
    q,
  }: Readonly<Record<string, unknown>> = c.req.valid('query' as never) ?? {};
  return `${method} ${path} ${limit} ${include} ${q === undefined}`;
}

/**
 * Responds to a call once the isolate has memory for it. Calls whose like (the same endpoint, `limit` and `include`, with
 * or without `q`) took little so far, and those of no tenant, wait for nothing. One that waited is checked again, as after a
 * slow body. 503 `unavailable` if others take all memory for five seconds.
 */
export async function callInTurn(
  c: Context<App>,
  spec: EndpointSpec,
  { call: made, recheck }: CheckedCall,
): Promise<Response> {
  const caller = c.get('caller');
  if (!caller || !mayHoldMuch(spec)) return made();
  const call = spec.readsMany ? () => callWithinRows(c, caller.tenantId, made) : made;
  const kind = { tenantId: caller.tenantId, name: spec.waits ? spec.path : kindName(c, spec) };
  const since = now();
  const checked = async () => {
    const failure = isRecent(since, RECHECK_AFTER_MS) ? null : await recheck();
    return failure ? problem(c, failure) : call();
  };
  const response = spec.waits ? await call() : await inTurn(kind, checked);
  if (!response) return problem(c, { code: 'unavailable' });
  const length = response.status === 204 ? 0 : c.get('bodyLength');
  // An error says nothing of what a call takes, and the length of a file that is sent in parts is not known.
  if (response.status < 400 && length !== undefined) learnSize(kind, length + (c.get('heldLength') ?? 0));
  return response;
}
