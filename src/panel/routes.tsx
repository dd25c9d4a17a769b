import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import type { App } from '../kernel/call.ts';
import type { Endpoint } from '../kernel/endpoint.ts';
import { fieldErrors } from '../kernel/problem.ts';
import { adminPages } from './admin.tsx';
import { callPublic, type Fetch, InnerApi, type Trouble } from './api.ts';
import { formToken } from './cookie.ts';
import { demoCartPages } from './demo-cart.tsx';
import { demoShopPages } from './demo-shop.tsx';
import { developerPages } from './developer.tsx';
import { type Guest, guestOf, isOurForm } from './gate.ts';
import { Document, POLICY } from './layout.tsx';
import type { Outcome, Page, View, Visit } from './page.ts';
import { signInPages } from './sign-in.tsx';

/** Every route of the panels. Guards, router and tests are made from this list. */
export const pages: readonly Page[] = [
  ...signInPages,
  ...adminPages,
  ...developerPages,
  ...demoShopPages,
  ...demoCartPages,
];

const FORM_BYTES = 64 * 1024;

/** The API from inside and from outside. */
interface Api {
  readonly inner: InnerApi;
  readonly fetch: Fetch;
}

/** The panels, on top of the endpoints of the API. */
export function panels(endpoints: () => readonly Endpoint[], fetch: Fetch): Hono<App> {
  const api = { inner: new InnerApi(endpoints), fetch };
  const app = new Hono<App>();
  for (const page of pages) {
    app.on(page.method.toUpperCase(), page.path, limit(page), (c) => answer(c, api, page));
  }
  app.get('/panel-assets/*', asset);
  return app;
}

const limit = (page: Page) =>
  bodyLimit({
    maxSize: page.maxBytes ?? FORM_BYTES,
    onError: (c) => c.text('This is too large.', 413, { 'Content-Security-Policy': POLICY }),
  });

/** Stylesheet, script and icon: files of ours, which browsers may keep for an hour. */
async function asset(c: Context<App>): Promise<Response> {
  const file = await c.env.ASSETS.fetch(c.req.raw);
  const response = new Response(file.body, file);
  response.headers.set('X-Content-Type-Options', 'nosniff');
  if (file.ok) response.headers.set('Cache-Control', 'public, max-age=3600, stale-while-revalidate=86400');
  return response;
}

/** Lets in who may see the page, checks where a form comes from and what it holds, and shows what came of it. */
async function answer(c: Context<App>, api: Api, page: Page): Promise<Response> {
  if (page.path.startsWith('/demo') && !c.env.DEMO_TOKEN) return c.notFound();
  const guest = await guestOf(c, page.audience);
  const area = page.audience === 'anyone' ? null : page.audience;
  if (!guest) {
    if (page.method === 'get') return c.redirect(`/${area}/sign-in`, 303);
    return refuse(c, 'Your session has ended. Sign in again.', 401);
  }
  if (guest.developer?.tenant.status === 'suspended') {
    return refuse(c, 'This shop is suspended. Ask who runs the platform.', 403);
  }
  const sent = page.method === 'post' ? await sentForm(c) : {};
  if (sent === null) return refuse(c, 'This is no form of ours.', 415);
  const visit = visitOf(c, api, guest, sent);
  if (page.method === 'get') return finish(visit, area, null, await page.show(visit, null));
  if (!isOurForm(c, guest, sent._token?.[0])) {
    return refuse(c, 'This form is out of date. Go back, load the page again, and repeat.', 403);
  }
  const outcome = await validated(c, page, visit);
  if (!('trouble' in outcome)) return finish(visit, area, null, outcome);
  return finish(visit, area, outcome.trouble, await page.show(visit, outcome.trouble));
}

/** Runs the form's work on what zod makes of it. */
async function validated(c: Context<App>, page: Page, visit: Visit): Promise<Outcome> {
  let wrong: Trouble | null = null;
  if (page.form) {
    const check = zValidator('form', page.form as z.ZodType, (result) => {
      if (result.success) return;
      const errors = fieldErrors(result.error as z.ZodError, 'form');
      wrong = { message: 'Some fields need another look.', errors, status: 422 };
      return new Response(null, { status: 422 });
    });
    // The middleware's type ties it to a route of its own; here it only validates.
    await check(c as never, async () => {});
  }
  if (wrong) return { trouble: wrong };
  if (!page.act) throw new Error(`${page.path} takes a form and does nothing with it`);
  return page.act(visit, page.form ? c.req.valid('form' as never) : undefined);
}

/** The fields of a form, files left out; `null` when the body is no form. */
async function sentForm(c: Context<App>): Promise<Record<string, string[]> | null> {
  const data = await c.req.formData().catch(() => null);
  if (!data) return null;
  const sent: Record<string, string[]> = {};
  for (const [name, value] of data.entries()) {
    if (typeof value === 'string') sent[name] = [...(sent[name] ?? []), value];
  }
  return sent;
}

function visitOf(c: Context<App>, api: Api, guest: Guest, sent: Visit['sent']): Visit {
  const developer = () => {
    if (!guest.developer) throw new Error(`${c.req.path} asked for a developer`);
    return guest.developer;
  };
  return {
    c,
    env: c.env,
    get developer() {
      return developer();
    },
    token: formToken(c.env, guest.id),
    param: (name) => {
      const value = c.req.param(name);
      if (value === undefined) throw new Error(`${c.req.path} has no ${name}`);
      return value;
    },
    query: (name) => c.req.query(name) ?? '',
    sent,
    api: (ask) => api.inner.tenant(c, developer().tenant, ask),
    shop: (ask) => callPublic(c, api.fetch, c.env.DEMO_TOKEN ?? '', ask),
    platform: (slug, ask) => api.inner.platform(c, guest.developer?.tenant.slug ?? slug, ask),
  };
}

function finish(
  visit: Visit,
  area: 'admin' | 'developer' | null,
  trouble: Trouble | null,
  outcome: View | Outcome,
): Response {
  const { c } = visit;
  headers(c);
  if ('to' in outcome) {
    const to = new URL(outcome.to, c.req.url);
    if (outcome.note) to.searchParams.set('note', outcome.note);
    return c.redirect(to.pathname + to.search, 303);
  }
  // A page whose subject is not there has nothing to show but that.
  const missing = 'trouble' in outcome ? outcome.trouble : null;
  const view = 'view' in outcome ? outcome.view : 'trouble' in outcome ? notThere(outcome.trouble) : outcome;
  const status = missing?.status ?? trouble?.status ?? view.status ?? 200;
  const html = Document({ visit, view, trouble, area });
  // Statuses come from the error table or from our own pages: all of them may have a body.
  return c.html(`<!doctype html>${html}`, status as 200);
}

const notThere = ({ message }: Trouble): View => ({ title: 'Not here', body: <p>{message}</p> });

function refuse(c: Context<App>, message: string, status: 401 | 403 | 415): Response {
  headers(c);
  return c.text(message, status);
}

function headers(c: Context<App>): void {
  c.header('Content-Security-Policy', POLICY);
  c.header('X-Content-Type-Options', 'nosniff');
  // Not "no-referrer": browsers would send "Origin: null" with our own forms then.
  c.header('Referrer-Policy', 'same-origin');
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  c.header('Cache-Control', 'no-store');
}
