import { zValidator } from '@hono/zod-validator';
import type { Context } from 'hono';
import { batchedReads } from '../kernel/data/batched-database.ts';
import { BODY_DEADLINE_MS, IncomingBody, isEncoded } from '../kernel/http/body.ts';
import type { App } from '../kernel/http/context.ts';
import { fieldErrors } from '../kernel/http/problem.ts';
import { callPublic, type Fetch, type FormError, type InnerApi } from './api-client.ts';
import { formTokens, type Ticket } from './cookie.ts';
import { errorPage, NextLink, pageBehind, SUSPENDED } from './error-page.tsx';
import { Document, frameOf, pageAbove, safe } from './layout.tsx';
import type { Outcome, Page, PageRequest, View } from './page.ts';
import { guestOf, isFormOf, isOwnOrigin, type PanelUserSession, renewHint, ticketOf } from './sessions.ts';
import type { Developer } from './store.ts';
import { hintOf, readHint } from './tenant-hint.ts';

/** What a form may send unless its page says otherwise. */
const FORM = { maxBytes: 64 * 1024, deadlineMs: BODY_DEADLINE_MS };

/** The API from inside and from outside. */
export interface Api {
  readonly inner: InnerApi;
  readonly fetch: Fetch;
}

/** Lets in who may see the page, and shows it, or does what its form asks for. */
export async function dispatch(c: Context<App>, api: Api, page: Page): Promise<Response> {
  if (page.path.startsWith('/demo') && !c.env.DEMO_TOKEN) return c.notFound();
  const ticket = ticketOf(c, page.audience);
  if (!ticket) return turnAway(c, page);
  return page.method === 'get' ? show(c, api, page, ticket) : act(c, api, page, ticket);
}

function turnAway(c: Context<App>, page: Page): Response {
  return page.method === 'get' ? c.redirect(`/${page.audience}/sign-in`, 303) : errorPage(c, 401);
}

/**
 * Reads the session and what the page needs at once: one batch. What was read goes out only to who has a
 * session, and, in the developer panel, only if it was read by what the tenant is like now.
 */
async function show(c: Context<App>, api: Api, page: Page, ticket: Ticket): Promise<Response> {
  const env = batchedReads(c.env);
  const entering = guestOf(env, page.audience, ticket);
  const visit = visitOf({ c, env, api, ticket, entering, sent: {} });
  const readable = page.audience !== 'developer' || readHint(ticket.note) !== null;
  const showing = readable ? page.show(visit, null) : Promise.reject(new Error('No hint to read by'));
  // Whoever is turned away below doesn't wait for it.
  showing.catch(() => undefined);
  const guest = await entering;
  if (!guest) return turnAway(c, page);
  const tenant = guest.developer?.tenant;
  if (tenant?.status === 'suspended') return errorPage(c, 403, { words: SUSPENDED });
  if (tenant && hintOf(tenant) !== ticket.note) {
    renewHint(c, ticket, tenant);
    return show(c, api, page, { ...ticket, note: hintOf(tenant) });
  }
  return finish(visit, guest, null, await showing);
}

/**
 * Checks where a form comes from and what it holds, does its work, and shows what came of it. Nothing of the body
 * is read before the session is known; after a slow one the session is looked up again.
 */
async function act(c: Context<App>, api: Api, page: Page, ticket: Ticket): Promise<Response> {
  const first = await entering(c, page, ticket);
  if (first instanceof Response) return first;
  if (!isOwnOrigin(c)) return errorPage(c, 403, { back: pageBehind(c) });
  const body = new IncomingBody(c.req.raw, page.limits ?? FORM);
  const sent = await sentForm(c, body);
  if (sent instanceof Response) return sent;
  const guest = body.isSlow ? await entering(c, page, ticket) : first;
  if (guest instanceof Response) return guest;
  if (!isFormOf(c, guest, sent._token?.[0])) return errorPage(c, 403, { back: pageBehind(c) });
  const note = guest.developer ? hintOf(guest.developer.tenant) : '';
  const visit = visitOf({
    c,
    env: c.env,
    api,
    ticket: { ...ticket, note },
    entering: Promise.resolve(guest),
    sent,
  });
  const outcome = await validated(c, page, visit);
  if (!('trouble' in outcome)) return finish(visit, guest, null, outcome);
  return finish(visit, guest, outcome.trouble, await page.show(visit, outcome.trouble));
}

/** Who sends a form, as of now; or the refusal of who may not. */
async function entering(c: Context<App>, page: Page, ticket: Ticket): Promise<PanelUserSession | Response> {
  const guest = await guestOf(c.env, page.audience, ticket);
  if (!guest) return turnAway(c, page);
  const suspended = guest.developer?.tenant.status === 'suspended';
  return suspended ? errorPage(c, 403, { words: SUSPENDED }) : guest;
}

/** Runs the form's work on what zod makes of it. */
async function validated(c: Context<App>, page: Page, visit: PageRequest): Promise<Outcome> {
  let wrong: FormError | null = null;
  if (page.form) {
    const check = zValidator('form', page.form, (result) => {
      if (result.success) return;
      const errors = fieldErrors(result.error, 'form');
      wrong = { message: 'Some fields need another look.', errors, status: 422 };
      return new Response(null, { status: 422 });
    });
    // The middleware's types tie it to a route of its own; here it only validates, and what it kept is read below.
    await check(c as never, async () => {});
  }
  if (wrong) return { trouble: wrong };
  if (!page.act) throw new Error(`${page.path} takes a form and does nothing with it`);
  return page.act(visit, page.form ? c.req.valid('form' as never) : undefined);
}

/** The fields of a form, files left out; or why it can't be read. */
async function sentForm(c: Context<App>, body: IncomingBody): Promise<Record<string, string[]> | Response> {
  const back = pageBehind(c);
  if (isEncoded(c.req.raw.headers)) {
    return errorPage(c, 415, { back, headers: { 'Accept-Encoding': 'identity' } });
  }
  const form = await body.form();
  if (!form.ok) return errorPage(c, form.failure.code === 'request_timeout' ? 408 : 413, { back });
  if (form.value === null) return errorPage(c, 415, { back });
  // Hono's validator takes the form from here; it keeps promises, though its type says otherwise.
  Object.assign(c.req.bodyCache, { formData: Promise.resolve(form.value) });
  const sent: Record<string, string[]> = {};
  for (const [name, value] of form.value.entries()) {
    if (typeof value === 'string') sent[name] = [...(sent[name] ?? []), value];
  }
  return sent;
}

interface Arrival {
  readonly c: Context<App>;
  readonly env: Env;
  readonly api: Api;
  readonly ticket: Ticket;
  readonly entering: Promise<PanelUserSession | null>;
  readonly sent: PageRequest['sent'];
}

function visitOf({ c, env, api, ticket, entering, sent }: Arrival): PageRequest {
  const tenant = () => {
    const hint = readHint(ticket.note);
    if (!hint) throw new Error(`${c.req.path} asked for a developer's tenant`);
    return hint;
  };
  return {
    c,
    env,
    get tenant() {
      return tenant();
    },
    developer: async (): Promise<Developer> => {
      const developer = (await entering)?.developer;
      if (!developer) throw new Error(`${c.req.path} asked for a developer`);
      return developer;
    },
    token: formTokens(c.env, ticket.id)[0] ?? '',
    param: (name) => {
      const value = c.req.param(name);
      if (value === undefined) throw new Error(`${c.req.path} has no ${name}`);
      return value;
    },
    query: (name) => c.req.query(name) ?? '',
    sent,
    api: (ask) => api.inner.tenant(c, env, tenant(), ask),
    shop: (ask) => callPublic(c, api.fetch, c.env.DEMO_TOKEN ?? '', ask),
    // A ticket with a hint is a developer's: they reach their own tenant alone.
    platform: (slug, ask) => api.inner.platform(c, env, readHint(ticket.note)?.slug ?? slug, ask),
  };
}

function finish(
  visit: PageRequest,
  guest: PanelUserSession,
  trouble: FormError | null,
  outcome: View | Outcome,
): Response {
  const { c } = visit;
  safe(c);
  if ('to' in outcome) {
    const to = new URL(outcome.to, c.req.url);
    if (outcome.note) to.searchParams.set('note', outcome.note);
    return c.redirect(to.pathname + to.search, 303);
  }
  // A page whose subject is not there has nothing to show but that.
  const missing = 'trouble' in outcome ? outcome.trouble : null;
  const view =
    'view' in outcome ? outcome.view : 'trouble' in outcome ? instead(outcome.trouble, c.req.path) : outcome;
  const status = missing?.status ?? trouble?.status ?? view.status ?? 200;
  const retryAfter = (missing ?? trouble)?.retryAfter;
  if (retryAfter) c.header('Retry-After', String(retryAfter));
  const frame = frameOf(c.req.path, { guest, token: visit.token, note: visit.query('note') });
  const html = Document({ frame, view, trouble, fields: Object.keys(visit.sent) });
  // Statuses come from the error table or from our own pages: all of them may have a body.
  return c.html(`<!doctype html>${html}`, status as 200);
}

/** What is shown in the place of a page that can't be. */
const instead = ({ message, status, errors }: FormError, path: string): View => ({
  title: status === 404 ? 'There is nothing here' : 'That did not work',
  body: (
    <>
      <p>{message}</p>
      {Object.entries(errors).map(([field, messages]) => (
        <p>
          {field}: {messages.join('; ')}
        </p>
      ))}
      <NextLink href={pageAbove(path)} label="Back" />
    </>
  ),
});
