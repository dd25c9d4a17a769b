import { zValidator } from '@hono/zod-validator';
import type { Context } from 'hono';
import { z } from 'zod';
import { batchedReads } from '../kernel/data/batched-database.ts';
import { BODY_DEADLINE_MS, IncomingBody, isEncoded } from '../kernel/http/body.ts';
import type { App } from '../kernel/http/context.ts';
import { fieldErrors } from '../kernel/http/problem.ts';
import { type Fetch, type FormError, fetchPublic, type InnerApi } from './api-client.ts';
import { errorPage, NextLink, pageBehind, SUSPENDED } from './error-page.tsx';
import { Document, frameOf, pageAbove, safe } from './layout.tsx';
import { type Outcome, type Page, type PageRequest, REDRAWING_BUTTONS, type View } from './page.ts';
import { formTokens, type Ticket } from './sessions/cookie.ts';
import {
  guestOf,
  isFormOf,
  isOwnOrigin,
  type PanelUserSession,
  renewHint,
  ticketOf,
} from './sessions/sessions.ts';
import type { Developer } from './sessions/store.ts';
import { hintOf, readHint } from './sessions/tenant-hint.ts';
import { collectRows, editedRows } from './ui/row-edits.ts';

/** The default limits of a form's body. */
const FORM_LIMITS = { maxBytes: 64 * 1024, deadlineMs: BODY_DEADLINE_MS };

/** The API as pages reach it: in process, and through the public router. */
export interface Api {
  readonly inner: InnerApi;
  readonly fetch: Fetch;
}

/** A request of a page, with the cookie that its audience needs. */
interface Entry {
  readonly c: Context<App>;
  readonly api: Api;
  readonly page: Page;
  readonly ticket: Ticket;
}

/** Authorizes a request of a page, then renders the page or runs its form's action. */
export async function dispatch(c: Context<App>, api: Api, page: Page): Promise<Response> {
  if (page.path.startsWith('/demo') && !c.env.DEMO_TOKEN) return c.notFound();
  const ticket = ticketOf(c, page.audience);
  if (!ticket) return requireSignIn(c, page);
  const entry = { c, api, page, ticket };
  return page.method === 'get' ? show(entry) : act(entry);
}

function requireSignIn(c: Context<App>, page: Page): Response {
  return page.method === 'get' ? c.redirect(`/${page.audience}/sign-in`, 303) : errorPage(c, 401);
}

/**
 * Renders a page. The session and the page's data are read in one batch; the page is sent only if the session
 * is valid and, in the developer panel, the cookie's tenant hint is current. A stale hint is renewed first.
 */
async function show(entry: Entry): Promise<Response> {
  const { c, api, page, ticket } = entry;
  const env = batchedReads(c.env);
  const entering = guestOf(env, page.audience, ticket);
  const request = pageRequest({ c, env, api, ticket, entering, sent: {} });
  const readable = page.audience !== 'developer' || readHint(ticket.note) !== null;
  const showing = readable ? page.show(request, null) : Promise.reject(new Error('No hint to read by'));
  // A request that is rejected below never awaits this promise.
  showing.catch(() => undefined);
  const guest = await entering;
  if (!guest) return requireSignIn(c, page);
  const tenant = guest.developer?.tenant;
  if (tenant?.status === 'suspended') return errorPage(c, 403, { words: SUSPENDED });
  if (tenant && hintOf(tenant) !== ticket.note) {
    renewHint(c, ticket, tenant);
    return show({ ...entry, ticket: { ...ticket, note: hintOf(tenant) } });
  }
  return finish(request, guest, { outcome: await showing, trouble: null });
}

/**
 * Checks the session, origin and CSRF token of a form, runs its action and renders the outcome. The body is read
 * only after the session check; after a slow body the session is checked again.
 */
async function act({ c, api, page, ticket }: Entry): Promise<Response> {
  const first = await formSender(c, page, ticket);
  if (first instanceof Response) return first;
  if (!isOwnOrigin(c)) return errorPage(c, 403, { back: pageBehind(c) });
  const body = new IncomingBody(c.req.raw, page.limits ?? FORM_LIMITS);
  const sent = await readForm(c, body);
  if (sent instanceof Response) return sent;
  const guest = body.isSlow ? await formSender(c, page, ticket) : first;
  if (guest instanceof Response) return guest;
  if (!isFormOf(c, guest, sent._token?.[0])) return errorPage(c, 403, { back: pageBehind(c) });
  const note = guest.developer ? hintOf(guest.developer.tenant) : '';
  const edited = editedRows(sent);
  const request = pageRequest({
    c,
    env: c.env,
    api,
    ticket: { ...ticket, note },
    entering: Promise.resolve(guest),
    sent: edited ?? sent,
  });
  // A button that edits rows or a choice shows the form again, with all that was typed.
  if (edited || REDRAWING_BUTTONS.some((button) => sent[button]))
    return finish(request, guest, { outcome: await page.show(request, null), trouble: null });
  const outcome = await validateAndAct(c, page, request);
  if (!('trouble' in outcome)) return finish(request, guest, { outcome, trouble: null });
  const { trouble } = outcome;
  return finish(request, guest, { outcome: await page.show(request, trouble), trouble });
}

/** Returns the session of a form's sender, or the error page for a sender without a valid one. */
async function formSender(c: Context<App>, page: Page, ticket: Ticket): Promise<PanelUserSession | Response> {
  const guest = await guestOf(c.env, page.audience, ticket);
  if (!guest) return requireSignIn(c, page);
  const suspended = guest.developer?.tenant.status === 'suspended';
  return suspended ? errorPage(c, 403, { words: SUSPENDED }) : guest;
}

/** Validates a form with its schema and runs its action. */
async function validateAndAct(c: Context<App>, page: Page, request: PageRequest): Promise<Outcome> {
  let invalid: FormError | null = null;
  if (page.form) {
    const check = zValidator('form', z.preprocess(collectRows, page.form), (result) => {
      if (result.success) return;
      const errors = fieldErrors(result.error, 'form');
      invalid = { message: 'Correct the marked fields.', errors, status: 422 };
      return new Response(null, { status: 422 });
    });
    // The middleware's types expect a route of its own. Here it only validates; its result is read below.
    await check(c as never, async () => {});
  }
  if (invalid) return { trouble: invalid };
  if (!page.act) throw new Error(`${page.path} has a form but no action`);
  return page.act(request, page.form ? c.req.valid('form' as never) : undefined);
}

/** Returns the text fields of a form, or an error page when its body can't be read. */
async function readForm(c: Context<App>, body: IncomingBody): Promise<Record<string, string[]> | Response> {
  const back = pageBehind(c);
  if (isEncoded(c.req.raw.headers)) {
    return errorPage(c, 415, { back, headers: { 'Accept-Encoding': 'identity' } });
  }
  const form = await body.form();
  if (!form.ok) return errorPage(c, form.failure.code === 'request_timeout' ? 408 : 413, { back });
  if (form.value === null) return errorPage(c, 415, { back });
  // Hono's validator reads the form from this cache, which holds promises although its type says otherwise.
  Object.assign(c.req.bodyCache, { formData: Promise.resolve(form.value) });
  const sent: Record<string, string[]> = {};
  for (const [name, value] of form.value.entries()) {
    if (typeof value === 'string') sent[name] = [...(sent[name] ?? []), value];
  }
  return sent;
}

interface RequestParts {
  readonly c: Context<App>;
  readonly env: Env;
  readonly api: Api;
  readonly ticket: Ticket;
  readonly entering: Promise<PanelUserSession | null>;
  readonly sent: PageRequest['sent'];
}

function pageRequest({ c, env, api, ticket, entering, sent }: RequestParts): PageRequest {
  const tenant = () => {
    const hint = readHint(ticket.note);
    if (!hint) throw new Error(`${c.req.path} read the tenant outside the developer panel`);
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
      if (!developer) throw new Error(`${c.req.path} read the developer outside the developer panel`);
      return developer;
    },
    token: formTokens(c.env, ticket.id)[0] ?? '',
    param: (name) => {
      const value = c.req.param(name);
      if (value === undefined) throw new Error(`${c.req.path} has no parameter ${name}`);
      return value;
    },
    query: (name) => c.req.query(name) ?? '',
    sent,
    api: (ask) => api.inner.tenant({ c, env }, tenant(), ask),
    fetch: (url, init) => fetchPublic(c, api.fetch, new Request(url, init)),
    // A cookie with a tenant hint is a developer's, who may reach only their own tenant.
    platform: (slug, ask) => api.inner.platform({ c, env }, readHint(ticket.note)?.slug ?? slug, ask),
  };
}

/** What a request ends with: a page or another outcome, and the error of the form that the page shows again. */
interface Ending {
  readonly outcome: View | Outcome;
  readonly trouble: FormError | null;
}

/** Renders the page in its frame, or redirects. */
function finish(request: PageRequest, guest: PanelUserSession, { outcome, trouble }: Ending): Response {
  const { c } = request;
  safe(c);
  if ('to' in outcome) {
    const to = new URL(outcome.to, c.req.url);
    if (outcome.note) to.searchParams.set('note', outcome.note);
    return c.redirect(to.pathname + to.search, 303);
  }
  // A page whose subject doesn't exist shows only the error.
  const missing = 'trouble' in outcome ? outcome.trouble : null;
  const view =
    'view' in outcome
      ? outcome.view
      : 'trouble' in outcome
        ? errorView(outcome.trouble, c.req.path)
        : outcome;
  const status = missing?.status ?? trouble?.status ?? view.status ?? 200;
  const retryAfter = (missing ?? trouble)?.retryAfter;
  if (retryAfter) c.header('Retry-After', String(retryAfter));
  const frame = frameOf(c.req.path, { guest, token: request.token, note: request.query('note') });
  const html = Document({ frame, view, trouble, fields: Object.keys(request.sent) });
  // Every status in use allows a body, which Hono's type requires.
  return c.html(`<!doctype html>${html}`, status as 200);
}

/** Returns the view of an error, shown instead of the page. */
const errorView = ({ message, status, errors }: FormError, path: string): View => ({
  title: status === 404 ? 'Page not found' : 'The request failed',
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
