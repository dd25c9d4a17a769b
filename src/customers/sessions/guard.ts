import type { Context } from 'hono';
import type { Failure } from '../../kernel/core/errors.ts';
import { database } from '../../kernel/data/database.ts';
import type { App } from '../../kernel/http/context.ts';
import type { EndpointSpec } from '../../kernel/http/endpoint.ts';
import type { Guard } from '../../kernel/http/mount.ts';
import { problem } from '../../kernel/http/problem.ts';
import { useSession } from './store.ts';
import { readToken } from './token.ts';

/** Returns the SHA-256 of a request's `X-Customer-Token`; null when it is missing or not issued for this tenant. */
export const sessionHash = (c: Context<App>): string | null =>
  readToken({ env: c.env, tenantId: c.get('caller').tenantId }, 'cs', c.req.header('x-customer-token') ?? '');

/** Returns the guard that authenticates a customer's session; rejects with `invalid_customer_token`. */
export function customerGuard(spec: EndpointSpec): Guard {
  const decide = async (c: Context<App>): Promise<Failure | null> => {
    c.set('customer', null);
    if (spec.customer === 'optional' && c.req.header('x-customer-token') === undefined) return null;
    const hash = sessionHash(c);
    const { tenantId } = c.get('caller');
    const customerId = hash && (await useSession({ db: database(c.env, tenantId), tenantId }, hash));
    if (!hash || !customerId) return { code: 'invalid_customer_token' };
    c.set('customer', { customerId, hash });
    return null;
  };
  return {
    enter: async (c, next) => {
      const failure = await decide(c);
      return failure ? problem(c, failure) : next();
    },
    recheck: decide,
  };
}
