import type { Context, MiddlewareHandler } from 'hono';
import { connectingNetwork } from '../../kernel/http/client-ip.ts';
import type { App } from '../../kernel/http/context.ts';
import { ANONYMOUS_LOOKUPS, NetworkThrottle, networkKey } from '../../kernel/http/network-throttle.ts';
import { setHeaders } from '../../kernel/http/response.ts';

/** Requests with one link, by network and link: each reads D1, and a checkout's may call the payment provider. */
const visits = new NetworkThrottle(ANONYMOUS_LOOKUPS);

/**
 * Returns the middleware that counts a request of a page, which no application's limit counts. `linkOf` names the
 * request's link if it is valid: others cost nothing, and must not displace those that are counted.
 */
export const countVisits =
  (
    linkOf: (c: Context<App>) => string | null,
    refuse: (c: Context<App>) => Response,
  ): MiddlewareHandler<App> =>
  async (c, next) => {
    const network = connectingNetwork(c);
    const link = network === '' ? null : linkOf(c);
    if (link === null) return next();
    const key = networkKey(network, link);
    const wait = visits.retryAfter(key);
    if (wait === 0) {
      visits.record(key);
      return next();
    }
    setHeaders(c, { 'Retry-After': String(wait) });
    return refuse(c);
  };
