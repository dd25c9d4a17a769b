import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { App } from '../kernel/http/context.ts';
import type { Endpoint } from '../kernel/http/endpoint.ts';
import { readOnly } from '../kernel/http/problem.ts';
import { reportError } from '../kernel/http/report-error.ts';
import { staticFile } from '../kernel/http/static-file.ts';
import { type Fetch, InnerApi } from './api-client.ts';
import { type Api, dispatch } from './dispatch.tsx';
import { errorPage, pageBehind } from './error-page.tsx';
import type { Page } from './page.ts';

/** Stylesheet, script and icon: files of ours, which browsers may keep for an hour. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400' };

const AREAS = ['/admin/*', '/developer/*', '/demo/*'];

/** Mounts pages on top of the endpoints of the API, which their forms and tables call. */
export function mountPages(
  pages: readonly Page[],
  endpoints: () => readonly Endpoint[],
  fetch: Fetch,
): Hono<App> {
  const api: Api = { inner: new InnerApi(endpoints), fetch };
  const app = new Hono<App>();
  for (const area of AREAS) app.use(area, named);
  for (const page of pages) {
    app.on(page.method.toUpperCase(), page.path, (c) => dispatch(c, api, page));
  }
  for (const [path, methods] of methodsByPath(pages)) {
    app.all(path, (c) =>
      errorPage(c, 405, { back: pageOver(pages, path, c.req.path), headers: { Allow: methods.join(', ') } }),
    );
  }
  app.get('/panel-assets/*', (c) => staticFile(c, ASSET_HEADERS)).all(readOnly);
  for (const area of ['/admin/*', '/developer/*']) app.all(area, (c, next) => nothingHere(c) ?? next());
  app.onError((error, c) => {
    const code = reportError(error, c.get('requestId'));
    return errorPage(c, code === 'unavailable' ? 503 : 500, { back: pageBehind(c) });
  });
  return app;
}

/** Pages are answered by Hono, for their cookies' sake: it has to hear of what every answer says. */
const named: MiddlewareHandler<App> = (c, next) => {
  c.header('X-Request-Id', c.get('requestId'));
  c.header('Cache-Control', 'no-store');
  return next();
};

/** The methods that each path of a page takes. */
function methodsByPath(pages: readonly Page[]): Map<string, string[]> {
  const byPath = Map.groupBy(pages, ({ path }) => path as string);
  const taken = ({ method }: Page) => (method === 'get' ? ['GET', 'HEAD'] : ['POST']);
  return new Map([...byPath].map(([path, all]) => [path, all.flatMap(taken)]));
}

/** The page that a form's path is about: the nearest above it that can be shown. */
function pageOver(pages: readonly Page[], pattern: string, path: string): string {
  const shown = pages.filter((page) => page.method === 'get' && `${pattern}/`.startsWith(`${page.path}/`));
  const depth = Math.max(2, ...shown.map((page) => page.path.split('/').length));
  return path.split('/').slice(0, depth).join('/');
}

/** The 404 of the panels; the platform API below `/admin/v1` has its own. */
function nothingHere(c: Context<App>): Response | null {
  const { path } = c.req;
  if (path.startsWith('/admin/v1/')) return null;
  return path.endsWith('/') ? c.redirect(path.replace(/\/+$/, ''), 301) : errorPage(c, 404);
}
