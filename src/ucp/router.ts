import { type Context, Hono } from 'hono';
import type { App } from '../kernel/http/context.ts';
import { setHeaders } from '../kernel/http/response.ts';
import { operations } from './operations.ts';
import { respondProfile } from './profile/serve-profile.ts';
import { servedTenant, tenantAtHost } from './tenant.ts';
import { crashError } from './transports/crash-error.ts';
import { serveMcp } from './transports/mcp.ts';
import { preflight } from './transports/pages.ts';
import { respondError, restHandler } from './transports/rest.ts';

/** The path below which a tenant's endpoints are. */
const BASE = '/ucp/:tenant';

/** Responds with the profile of the tenant in the path, or at the request's host. */
async function serveProfile(c: Context<App>): Promise<Response> {
  const slug = c.req.param('tenant');
  const tenant = await (slug === undefined
    ? tenantAtHost(c, new URL(c.req.url).host)
    : servedTenant(c, slug));
  return tenant.ok ? respondProfile(c, tenant.value) : respondError(c, tenant.error);
}

const methodNotAllowed = (methods: readonly string[]) => (c: Context<App>) => {
  setHeaders(c, { Allow: methods.join(', ') });
  return respondError(c, {
    status: 405,
    code: 'method_not_allowed',
    content: 'This address does not take that method.',
  });
};

/** The routes of the protocol: business profiles, REST and MCP. Their errors are the protocol's too. */
export function ucpRoutes(): Hono<App> {
  const routes = new Hono<App>();
  for (const path of ['/.well-known/ucp', `${BASE}/.well-known/ucp`]) {
    routes.get(path, serveProfile).all(methodNotAllowed(['GET', 'HEAD']));
  }
  const refuseMethod = methodNotAllowed(['POST']);
  routes.post(`${BASE}/mcp`, serveMcp).all((c) => preflight(c) ?? refuseMethod(c));
  for (const [path, own] of Map.groupBy(operations, ({ spec }) => spec.path)) {
    const address = `${BASE}${path.replace('{id}', ':id')}`;
    for (const operation of own)
      routes.on(operation.spec.method.toUpperCase(), address, restHandler(operation));
    routes.all(address, methodNotAllowed(methodsOf(own.map(({ spec }) => spec.method))));
  }
  routes.all('/ucp/*', (c) =>
    respondError(c, { status: 404, code: 'not_found', content: 'There is nothing at this address.' }),
  );
  routes.onError((error, c) => respondError(c, crashError(error, c.get('requestId'))));
  return routes;
}

/** Returns the methods of a path's operations in upper case. Hono serves HEAD for every GET. */
const methodsOf = (methods: readonly string[]): string[] =>
  methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
