import type { Context, MiddlewareHandler } from 'hono';
import { setHeaders } from '../kernel/answer.ts';
import type { App } from '../kernel/call.ts';
import { database } from '../kernel/database.ts';
import type { EndpointSpec } from '../kernel/endpoint.ts';
import { problem } from '../kernel/problem.ts';
import { useSession } from './sessions.ts';
import { readToken } from './token.ts';

/** The SHA-256 of the session's token that came with a request: null for none, or one that we did not make. */
export const sessionHash = (c: Context<App>): string | null =>
  readToken(c.env, c.get('caller').tenantId, 'cs', c.req.header('x-customer-token') ?? '');

/** Lets a customer's session in, where an endpoint reads one, or answers `invalid_customer_token`. */
export const customerGuard =
  (spec: EndpointSpec): MiddlewareHandler<App> =>
  async (c, next) => {
    setHeaders(c, { 'Cache-Control': 'no-store' });
    c.set('customer', null);
    if (spec.customer === 'optional' && c.req.header('x-customer-token') === undefined) return next();
    const hash = sessionHash(c);
    const customerId = hash && (await useSession(database(c.env), c.get('caller').tenantId, hash));
    if (!hash || !customerId) return problem(c, { code: 'invalid_customer_token' });
    c.set('customer', { customerId, hash });
    return next();
  };
