import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { now } from '../core/clock.ts';
import type { App } from '../http/context.ts';
import { reportRequest } from './request-line.ts';
import { TIMING_HEADER, timedBindings } from './server-timing.ts';

/** The router's context of each request, which knows its id, route and tenant. */
const contexts = new WeakMap<Request, Context<App>>();

/** Keeps the router's context for {@link observed}. The router's first middleware. */
export const keepContext: MiddlewareHandler<App> = (c, next) => {
  contexts.set(c.req.raw, c);
  return next();
};

/**
 * Returns whether a request's calls of the storage are timed: only calls of the API have scopes. Other requests keep
 * the isolate's bindings, which are the key of what it caches, such as its health.
 */
const isTimed = ({ url, headers }: Request): boolean =>
  headers.has(TIMING_HEADER) && new URL(url).pathname.startsWith('/v1/');

type Serve = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/**
 * Returns a handler that reports each request once its response begins, and adds `Server-Timing` if the request asks
 * for it. Only a caller with the scope `settings:read` gets it: the number of storage calls could tell a storefront's
 * visitor, for example, whether an account exists.
 */
export const observed =
  (serve: Serve): Serve =>
  async (request, env, ctx) => {
    const startedAt = now();
    const timed = isTimed(request) ? timedBindings(env) : null;
    const response = await serve(request, timed?.env ?? env, ctx);
    const c = contexts.get(request);
    if (!c) return response;
    reportRequest(env, { ...describe(c), status: response.status, ms: Math.max(0, now() - startedAt) });
    if (!timed || !c.get('caller')?.scopes.has('settings:read')) return response;
    const answer = new Response(response.body, response);
    answer.headers.set('Server-Timing', timed.header());
    return answer;
  };

function describe(c: Context<App>) {
  const application = c.get('application');
  return {
    id: c.get('requestId'),
    tenant: application?.tenantId ?? c.get('tenantId') ?? null,
    application: application?.applicationId ?? null,
    method: c.req.method,
    route: c.get('route') ?? patternOf(routePath(c)),
  };
}

/** Returns the router's pattern in the form of the API's: `/developer/orders/{id}`. */
const patternOf = (path: string): string => path.replace(/:(\w+)(?:\{.*?\})?/g, '{$1}');
