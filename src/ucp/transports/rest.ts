import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { respondJson, setHeaders } from '../../kernel/http/response.ts';
import { storefrontUrl } from '../../tenants/index.ts';
import { type OperationRequest, perform } from '../perform.ts';
import { profileOfHeader } from '../protocol/agent-header.ts';
import { errorBody } from '../protocol/envelope.ts';
import type { Operation } from '../protocol/operation.ts';
import { CHALLENGE, type Checked, done, type ProtocolError } from '../protocol/outcome.ts';
import { learnLength } from '../response-memory.ts';
import { servedTenant } from '../tenant.ts';
import { parseBody, readBody } from './request-body.ts';

/** Returns a protocol error as an HTTP response. */
export function respondError(c: Context<App>, error: ProtocolError): Response {
  setHeaders(c, {
    ...(error.retryAfter !== undefined && { 'Retry-After': String(error.retryAfter) }),
    ...(error.status === 401 && CHALLENGE),
  });
  return respondJson(c, errorBody(error), error.status);
}

/** Returns the handler of an operation's REST route. */
export const restHandler =
  (operation: Operation) =>
  async (c: Context<App>): Promise<Response> => {
    const request = await requestOf(c, operation);
    if (!request.ok) return respondError(c, request.error);
    const performed = await perform(request.value);
    if (!performed.ok) return respondError(c, performed.error);
    const response = respondJson(c, performed.body, performed.created ? 201 : 200);
    const { tenant } = request.value;
    learnLength({ tenantId: tenant.id, operation: operation.spec.name }, c.get('bodyLength') ?? 0);
    return response;
  };

/** Reads what the operation needs of a REST request. */
async function requestOf(c: Context<App>, operation: Operation): Promise<Checked<OperationRequest>> {
  const slug = c.req.param('tenant') ?? '';
  const found = await servedTenant(c, slug);
  if (!found.ok) return found;
  c.set('tenantId', found.value.id);
  const profile = profileOfHeader(c.req.header('ucp-agent'));
  if (!profile.ok) {
    const continueUrl = storefrontUrl(found.value.settings);
    return { ok: false, error: { continueUrl, ...profile.error } };
  }
  const body = await readBody(c.req.raw);
  if (!body.ok) return body;
  // The tenant may have changed while a slow body arrived. After a fast one the isolate still has it in memory.
  const tenant = await servedTenant(c, slug);
  if (!tenant.ok) return tenant;
  return done({
    env: c.env,
    ctx: c.executionCtx,
    tenant: tenant.value,
    currentTenant: () => servedTenant(c, slug),
    operation,
    profile: profile.value,
    request: c.req.raw,
    body: body.value,
    id: c.req.param('id') ?? '',
    payload: () => (operation.spec.argument === null ? done({}) : parseBody(body.value)),
    key: c.req.header('idempotency-key'),
  });
}
