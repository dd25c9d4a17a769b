import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { BODY_DEADLINE_MS, declaredLength, IncomingBody } from '../../kernel/input/body.ts';
import { publicFetch } from '../api-client.ts';
import { errorPage } from '../error-page.tsx';
import { readForm } from '../forms/form-body.ts';
import type { SentFields } from '../forms/row-edits.ts';
import type { Page, PageRequest, SignedIn } from '../page.ts';
import { cookieOf, formTokens } from '../sessions/cookie.ts';
import { MAX_HELD_BYTES, openForm, RESUME_FIELD, safePath, sealForm } from '../sessions/resume.ts';
import { isOwnOrigin, ticketOf } from '../sessions/sessions.ts';
import { type Api, pageRequest } from './page-request.ts';
import { finish } from './render.tsx';

/** A request of a page without a valid session. */
interface Unsigned {
  readonly c: Context<App>;
  readonly api: Api;
  readonly page: Page;
  /** The fields of a form whose session ended while its body arrived. */
  readonly sent?: SentFields;
}

/** Leads to the sign-in: from a page to come back to it, from a form to see it again with what was typed. */
export async function requireSignIn({ c, api, page, sent }: Unsigned): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const area = page.path.startsWith('/admin') ? 'admin' : 'developer';
  if (page.method === 'get') {
    const next = safePath(pathname + search, area);
    return c.redirect(
      `/${area}/sign-in${next === `/${area}` ? '' : `?next=${encodeURIComponent(next)}`}`,
      303,
    );
  }
  // A user who wanted to sign out has nothing to come back to.
  if (page.path === `/${area}/sign-out`) return showSignIn(c, api, { area, sealed: '' });
  if (!sent && declaredLength(c.req.raw.headers) > MAX_HELD_BYTES) {
    return errorPage(c, 401, { words: TOO_LARGE_TO_HOLD });
  }
  const fields = sent ?? (await heldFields(c));
  if (!fields || Object.keys(fields).length === 0) return errorPage(c, 401);
  const sealed = await sealForm(c.env, { path: pathname + search, fields });
  return showSignIn(c, api, { area, sealed });
}

/** Explains that a form isn't held, and that the browser still has what was typed. */
const TOO_LARGE_TO_HOLD = [
  'Your session has ended',
  'Nothing was saved, and the form is too large to be kept for you: files, or more than 32 KiB of text. Go back in your browser, where it still has what you typed, copy what you need, sign in in another tab, and send the form again.',
] as const;

/** Returns the fields of a form of this site that is small enough to be held, else `null`; reads no other body. */
async function heldFields(c: Context<App>): Promise<SentFields | null> {
  const length = declaredLength(c.req.raw.headers);
  if (!isOwnOrigin(c) || !(length > 0 && length <= MAX_HELD_BYTES)) return null;
  const limits = { maxBytes: MAX_HELD_BYTES, deadlineMs: BODY_DEADLINE_MS };
  const read = await readForm(c, new IncomingBody(c.req.raw, limits));
  return read instanceof Response ? null : read;
}

/** Shows the sign-in page with the sealed form in it. */
async function showSignIn(
  c: Context<App>,
  api: Api,
  { area, sealed }: { area: 'admin' | 'developer'; sealed: string },
): Promise<Response> {
  const page = api.find('get', `/${area}/sign-in`);
  const ticket = ticketOf(c, 'anyone');
  if (!page || !ticket) return errorPage(c, 401);
  const session = { audience: 'anyone', ticket, developer: null } as const;
  const request = pageRequest({
    c,
    env: c.env,
    api,
    ticket,
    session: Promise.resolve(session),
    sent: { [RESUME_FIELD]: [sealed] },
  });
  const view = await page.show(request, null);
  const outcome = 'title' in view ? { ...view, status: 401 } : view;
  return finish(request, session, { outcome, formError: null });
}

/**
 * Shows the form that was held while its sender signed in, as if they had just typed it: by a request of this
 * Worker with the new session's cookie. Nothing is sent on. Returns `null` if none was held.
 */
export async function showHeldForm(
  request: PageRequest,
  api: Api,
  { area, ticket }: SignedIn,
): Promise<Response | null> {
  const { c } = request;
  const [sealed = ''] = request.sent[RESUME_FIELD] ?? [];
  const held = sealed === '' ? null : await openForm(c.env, sealed);
  if (!held || safePath(held.path, area) !== held.path) return null;
  const url = new URL(held.path, c.req.url);
  url.searchParams.set('note', 'resumed');
  const body = new URLSearchParams({ _token: formTokens(c.env, ticket.id)[0] ?? '', [RESUME_FIELD]: sealed });
  const headers = { cookie: cookieOf(c, area, ticket), origin: url.origin };
  const shown = await publicFetch(c, api.fetch)(url, { method: 'POST', headers, body });
  for (const [name, value] of shown.headers) if (name !== 'set-cookie') c.header(name, value);
  // Every status of a page allows a body, which Hono's type requires.
  return c.body(await shown.text(), shown.status as 200);
}
