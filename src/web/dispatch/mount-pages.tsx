import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import type { Endpoint } from '../../kernel/http/endpoint.ts';
import { readOnly, reportError } from '../../kernel/http/problem.ts';
import { staticFile } from '../../kernel/http/static-file.ts';
import type { Fetch } from '../api-client.ts';
import { errorPage, pageBehind } from '../error-page.tsx';
import { InnerApi } from '../inner-api.ts';
import type { Page } from '../page.ts';
import { dispatch } from './dispatch.tsx';
import { type Api, indexPages } from './page-request.ts';

/** Cache headers of stylesheet, script and icon: fresh for an hour. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400' };

const AREAS = ['/admin/*', '/developer/*', '/demo/*'];

/** Returns a router with the pages; `endpoints` are the API that they call in process. */
export function mountPages(
  pages: readonly Page[],
  endpoints: () => readonly Endpoint[],
  fetch: Fetch,
): Hono<App> {
  const api: Api = { inner: new InnerApi(endpoints), fetch, find: indexPages(pages) };
  const app = new Hono<App>();
  const isCatchAll = ({ path }: Page): boolean => path.endsWith('/*');
  const known = pages.filter((page) => !isCatchAll(page));
  const catchAll = pages.filter(isCatchAll);
  for (const area of AREAS) app.use(area, commonHeaders);
  const mountGroup = (group: readonly Page[]) => {
    for (const page of group) {
      app.on(page.method.toUpperCase(), page.path, (c) => dispatch(c, api, page));
    }
    for (const [path, methods] of methodsByPath(group)) {
      app.all(path, (c) =>
        errorPage(c, 405, {
          back: nearestPage(pages, path, c.req.path),
          headers: { Allow: methods.join(', ') },
        }),
      );
    }
  };
  mountGroup(known);
  for (const area of AREAS) app.all(area, (c, next) => withoutSlashes(c) ?? next());
  // The page of an area's unknown paths comes after all others.
  mountGroup(catchAll);
  app.get('/panel-assets/*', (c) => staticFile(c, ASSET_HEADERS)).all(readOnly);
  for (const area of ['/admin/*', '/developer/*']) app.all(area, (c, next) => pageNotFound(c) ?? next());
  app.onError((error, c) => {
    const code = reportError(error, c.get('requestId'));
    return errorPage(c, code === 'unavailable' ? 503 : 500, { back: pageBehind(c) });
  });
  return app;
}

/** Sets the request id and `no-store` on every page's response. */
const commonHeaders: MiddlewareHandler<App> = (c, next) => {
  c.header('X-Request-Id', c.get('requestId'));
  c.header('Cache-Control', 'no-store');
  return next();
};

function methodsByPath(pages: readonly Page[]): Map<string, string[]> {
  const byPath = Map.groupBy(pages, ({ path }) => path as string);
  const taken = ({ method }: Page) => (method === 'get' ? ['GET', 'HEAD'] : ['POST']);
  return new Map([...byPath].map(([path, all]) => [path, all.flatMap(taken)]));
}

/** Returns the path of the nearest page at or above a form's path that supports GET. */
function nearestPage(pages: readonly Page[], pattern: string, path: string): string {
  const shown = pages.filter((page) => page.method === 'get' && `${pattern}/`.startsWith(`${page.path}/`));
  const depth = Math.max(2, ...shown.map((page) => page.path.split('/').length));
  return path.split('/').slice(0, depth).join('/');
}

/** Returns whether a path is the platform API's, which has its own 404. */
const isPlatformApi = (c: Context<App>): boolean => /^\/admin\/v1(\/|$)/.test(c.req.path);

/** Returns the redirect to the same address without slashes at the end of its path; null if there are none. */
function withoutSlashes(c: Context<App>): Response | null {
  // Percent-encoded, as a header takes it: Hono's path is decoded.
  const { pathname, search } = new URL(c.req.url);
  // The lookbehind keeps it linear: else each of many slashes would be followed to the last of them.
  const shorter = pathname.replace(/(?<!\/)\/+$/, '');
  return shorter === pathname || isPlatformApi(c) ? null : c.redirect(`${shorter}${search}`, 301);
}

/** Returns the panels' 404 page, or null below `/admin/v1`. */
const pageNotFound = (c: Context<App>): Promise<Response> | null =>
  isPlatformApi(c) ? null : errorPage(c, 404);
