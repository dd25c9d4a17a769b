import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { App } from '../kernel/call.ts';
import type { Endpoint } from '../kernel/endpoint.ts';
import { faultOf } from '../kernel/fault.ts';
import { readOnly } from '../kernel/problem.ts';
import { staticFile } from '../kernel/static-file.ts';
import { adminPages } from './admin.tsx';
import { type Api, answer } from './answer.tsx';
import { type Fetch, InnerApi } from './api.ts';
import { demoAccountPages } from './demo-account.tsx';
import { demoCartPages } from './demo-cart.tsx';
import { demoShopPages } from './demo-shop.tsx';
import { demoThanksPages } from './demo-thanks.tsx';
import { developerPages } from './developer.tsx';
import type { Page } from './page.ts';
import { pageBehind, refuse } from './refusal.tsx';
import { signInPages } from './sign-in.tsx';

/** Every route of the panels. Guards, router and tests are made from this list. */
export const pages: readonly Page[] = [
  ...signInPages,
  ...adminPages,
  ...developerPages,
  ...demoShopPages,
  ...demoCartPages,
  ...demoThanksPages,
  ...demoAccountPages,
];

/** Stylesheet, script and icon: files of ours, which browsers may keep for an hour. */
const ASSET_HEADERS = { 'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400' };

const AREAS = ['/admin/*', '/developer/*', '/demo/*'];

/** The panels, on top of the endpoints of the API. */
export function panels(endpoints: () => readonly Endpoint[], fetch: Fetch): Hono<App> {
  const api: Api = { inner: new InnerApi(endpoints), fetch };
  const app = new Hono<App>();
  for (const area of AREAS) app.use(area, named);
  for (const page of pages) {
    app.on(page.method.toUpperCase(), page.path, (c) => answer(c, api, page));
  }
  for (const [path, methods] of methodsByPath()) {
    app.all(path, (c) =>
      refuse(c, 405, { back: pageOver(path, c.req.path), headers: { Allow: methods.join(', ') } }),
    );
  }
  app.get('/panel-assets/*', (c) => staticFile(c, ASSET_HEADERS)).all(readOnly);
  for (const area of ['/admin/*', '/developer/*']) app.all(area, (c, next) => nothingHere(c) ?? next());
  app.onError((error, c) => {
    const code = faultOf(error, c.get('requestId'));
    return refuse(c, code === 'unavailable' ? 503 : 500, { back: pageBehind(c) });
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
function methodsByPath(): Map<string, string[]> {
  const byPath = Map.groupBy(pages, ({ path }) => path as string);
  const taken = ({ method }: Page) => (method === 'get' ? ['GET', 'HEAD'] : ['POST']);
  return new Map([...byPath].map(([path, all]) => [path, all.flatMap(taken)]));
}

/** The page that a form's path is about: the nearest above it that can be shown. */
function pageOver(pattern: string, path: string): string {
  const shown = pages.filter((page) => page.method === 'get' && `${pattern}/`.startsWith(`${page.path}/`));
  const depth = Math.max(2, ...shown.map((page) => page.path.split('/').length));
  return path.split('/').slice(0, depth).join('/');
}

/** The 404 of the panels; the platform API below `/admin/v1` has its own. */
function nothingHere(c: Context<App>): Response | null {
  const { path } = c.req;
  if (path.startsWith('/admin/v1/')) return null;
  return path.endsWith('/') ? c.redirect(path.replace(/\/+$/, ''), 301) : refuse(c, 404);
}
