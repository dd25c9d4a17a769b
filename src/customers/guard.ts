import type { Context } from 'hono';
import type { Failure } from '../kernel/core/errors.ts';
import { database } from '../kernel/data/database.ts';
import type { App } from '../kernel/http/context.ts';
import type { EndpointSpec } from '../kernel/http/endpoint.ts';
import type { Guard } from '../kernel/http/mount.ts';
import { problem } from '../kernel/http/problem.ts';
import { useSession } from './sessions.ts';
import { readToken } from './token.ts';

/** The SHA-256 of the session's token that came with a request: null for none, or one that we did not make. */
export const sessionHash = (c: Context<App>): string | null =>
  readToken(c.env, c.get('caller').tenantId, 'cs', c.req.header('x-customer-token') ?? '');

/** Lets a customer's session in, where an endpoint reads one, or answers `invalid_customer_token`. */
export function customerGuard(spec: EndpointSpec): Guard {
  const decide = async (c: Context<App>): Promise<Failure | null> => {
    c.set('customer', null);
    if (spec.customer === 'optional' && c.req.header('x-customer-token') === undefined) return null;
    const hash = sessionHash(c);
    const customerId = hash && (await useSession(database(c.env), c.get('caller').tenantId, hash));
    if (!hash || !customerId) return { code: 'invalid_customer_token' };
    c.set('customer', { customerId, hash });
    return null;
  };
  return {
    enter: async (c, next) => {
      const failure = await decide(c);
      return failure ? problem(c, failure) : next();
    },
    again: decide,
  };
}
