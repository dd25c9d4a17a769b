import { zValidator } from '@hono/zod-validator';
import type { Context } from 'hono';
import { z } from 'zod';
import { toItsEnd } from '../../kernel/async/to-its-end.ts';
import { batchedReads } from '../../kernel/data/batched-database.ts';
import { isOutage } from '../../kernel/data/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { secureUrlOf } from '../../kernel/http/https.ts';
import { fieldErrors, reportError } from '../../kernel/http/problem.ts';
import { BODY_DEADLINE_MS, type BodyLimits, declaredLength, IncomingBody } from '../../kernel/input/body.ts';
import { HeldBytes } from '../../kernel/input/held-bytes.ts';
import type { FormError } from '../api-client.ts';
import { errorPage, NextLink, pageBehind, SUSPENDED } from '../error-page.tsx';
import { readForm } from '../forms/form-body.ts';
import { collectRows, editedRows, type SentFields } from '../forms/row-edits.ts';
import {
  asFormError,
  leastRole,
  type Outcome,
  type Page,
  type PageRequest,
  REDRAWING_BUTTONS,
  withSent,
} from '../page.ts';
import { shownAgain } from '../sent-before.ts';
import { formTokens, type Ticket } from '../sessions/cookie.ts';
import { secondsToNextPage } from '../sessions/page-rate.ts';
import { openForm, RESUME_FIELD } from '../sessions/resume.ts';
import { isAtLeast, refusalTexts } from '../sessions/roles.ts';
import {
  isFormOf,
  isOwnOrigin,
  type PanelUserSession,
  recordSessionUse,
  renewHint,
  sessionOf,
  ticketOf,
} from '../sessions/sessions.ts';
import { hintOf, readHint } from '../sessions/tenant-hint.ts';
import { type Api, pageRequest } from './page-request.ts';
import { finish } from './render.tsx';
import { requireSignIn, showHeldForm } from './sign-in-again.ts';

/** The default limits of a form's body. */
const FORM_LIMITS = { maxBytes: 64 * 1024, deadlineMs: BODY_DEADLINE_MS };

/**
 * The most bytes of uploads that an isolate may hold when it accepts a form with files. The rest of the isolate's limit is
 * for storing one of these files, which holds its bytes a second time.
 */
const MAX_HELD_WITH_FORMS = 40 * 1024 * 1024;

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
  const secureUrl = secureUrlOf(c.req.url, c.env);
  if (secureUrl !== null) return c.redirect(secureUrl, 308);
  const ticket = ticketOf(c, page.audience);
  if (!ticket) return requireSignIn({ c, api, page });
  const wait = page.audience === 'anyone' ? 0 : secondsToNextPage(ticket);
  if (wait > 0) return errorPage(c, 429, { back: pageBehind(c), headers: { 'Retry-After': String(wait) } });
  const entry = { c, api, page, ticket };
  return page.method === 'get' ? show(entry) : act(entry);
}

/**
 * Renders a page. The session and the page's data are read in one batch; the page is sent only if the session
 * is valid and, in the developer panel, the cookie's hint is current. A stale hint is renewed first.
 */
async function show(entry: Entry): Promise<Response> {
  const { c, api, page, ticket } = entry;
  const env = batchedReads(c.env);
  const pending = sessionOf(env, page.audience, ticket);
  const request = pageRequest({ c, env, api, ticket, session: pending, sent: {} });
  const readable = page.audience !== 'developer' || readHint(ticket.note) !== null;
  const showing = readable ? page.show(request, null) : Promise.reject(new Error('No hint to read by'));
  // A request that is rejected below never awaits this promise.
  showing.catch(() => undefined);
  const session = await pending;
  if (!session) return requireSignIn(entry);
  const refused = await refusal(entry, session);
  if (refused) return refused;
  recordSessionUse(c, session);
  const note = noteOf(session);
  if (note !== ticket.note && session.developer) {
    renewHint(c, ticket, session.developer);
    return show({ ...entry, ticket: { ...ticket, note } });
  }
  return finish(request, session, { outcome: await showing, formError: null });
}

/**
 * Checks the session, origin and CSRF token of a form, runs its action and renders the outcome. The body is read
 * only after the session check; after a slow body the session is checked again.
 */
async function act(entry: Entry): Promise<Response> {
  const { c, page } = entry;
  const first = await formSender(entry);
  if (first instanceof Response) return first;
  if (!isOwnOrigin(c)) return errorPage(c, 403, { back: pageBehind(c) });
  const held = new HeldBytes();
  if (page.limits && !held.take(sizeOf(c, page.limits), MAX_HELD_WITH_FORMS)) {
    return errorPage(c, 503, { back: pageBehind(c) });
  }
  const handled = handleForm(entry, first).finally(() => held.release());
  return toItsEnd(c.executionCtx, handled);
}

/** Returns the most bytes that a form takes in memory, where its files are until its action has ended. */
function sizeOf({ req }: Context<App>, { maxBytes }: BodyLimits): number {
  const length = declaredLength(req.raw.headers);
  return Number.isNaN(length) ? maxBytes : Math.min(length, maxBytes);
}

/** Reads a form of this sender, runs its action and renders the outcome. */
async function handleForm(entry: Entry, first: PanelUserSession): Promise<Response> {
  const { c, api, page, ticket } = entry;
  const body = new IncomingBody(c.req.raw, page.limits ?? FORM_LIMITS);
  const sent = await readForm(c, body);
  if (sent instanceof Response) return sent;
  const session = body.isSlow ? await formSender({ ...entry, sent }) : first;
  if (session instanceof Response) return session;
  if (!isFormOf(c, session, sent._token?.[0])) return errorPage(c, 403, { back: pageBehind(c) });
  const redrawn = await redrawnFields(entry, sent);
  const request = pageRequest({
    c,
    env: c.env,
    api,
    ticket: { ...ticket, note: noteOf(session) },
    session: Promise.resolve(session),
    sent: redrawn ?? sent,
  });
  if (redrawn) return finish(request, session, { outcome: await page.show(request, null), formError: null });
  const outcome = await validateAndAct(c, page, request).catch((error) => brokenOff(entry, error));
  const held = 'to' in outcome && outcome.signedIn && (await showHeldForm(request, api, outcome.signedIn));
  if (held) return held;
  if (!('formError' in outcome)) return finish(request, session, { outcome, formError: null });
  const { formError, sent: typed } = outcome;
  const shown = shownAgain(typed ? withSent(request, typed) : request, formError);
  return finish(shown, session, { outcome: await page.show(shown, formError), formError });
}

/**
 * Returns the fields with which a form is shown again instead of being sent on: after a button that edits rows or
 * a choice, or when its session had ended and the sender signed in again. Returns `null` for a form to send on.
 */
async function redrawnFields({ c, page }: Entry, sent: SentFields): Promise<SentFields | null> {
  const [sealed] = page.audience === 'anyone' ? [] : (sent[RESUME_FIELD] ?? []);
  if (sealed !== undefined) return (await openForm(c.env, sealed))?.fields ?? {};
  return editedRows(sent) ?? (REDRAWING_BUTTONS.some((button) => sent[button]) ? sent : null);
}

/** Returns the session of a form's sender, or the error page for a sender without a valid one. */
async function formSender(entry: Entry & { sent?: SentFields }): Promise<PanelUserSession | Response> {
  const { c, page, ticket } = entry;
  const session = await sessionOf(c.env, page.audience, ticket);
  if (!session) return requireSignIn(entry);
  return (await refusal(entry, session)) ?? session;
}

/** Returns the hint that a session's cookie should carry. */
const noteOf = ({ developer, ticket }: PanelUserSession): string =>
  developer ? hintOf(developer.user, developer.tenant) : ticket.note;

/** The form with which somebody whose tenant is suspended signs out. */
const SignOut = ({ token = '' }: { token: string | undefined }) => (
  <form method="post" action="/developer/sign-out">
    <input type="hidden" name="_token" value={token} />
    <button type="submit">Sign out</button>
  </form>
);

/**
 * Returns the error page for a developer whose tenant is suspended or whose role doesn't suffice, else `null`. Anybody may
 * sign out.
 */
async function refusal({ c, api, page }: Entry, session: PanelUserSession): Promise<Response | null> {
  const { developer, ticket } = session;
  if (!developer) return null;
  if (developer.tenant.status === 'suspended' && page.path !== '/developer/sign-out') {
    return errorPage(c, 403, {
      words: SUSPENDED,
      below: <SignOut token={formTokens(c.env, ticket.id)[0]} />,
    });
  }
  const [{ role }, least] = [developer.user, leastRole(page)];
  if (isAtLeast(role, least)) return null;
  const [title, text] = refusalTexts(role, least);
  const parts = { ticket: { ...ticket, note: noteOf(session) }, session: Promise.resolve(session), sent: {} };
  const body = (
    <>
      <p>{text}</p>
      <NextLink href="/developer" label="Go to the start page" />
    </>
  );
  const outcome = { title, body, status: 403 };
  return finish(pageRequest({ c, env: c.env, api, ...parts }), session, { outcome, formError: null });
}

/** Returns the error of a panel's form whose action an outage broke off: it may have had its effect. Throws others. */
function brokenOff({ c, page }: Entry, error: unknown): Outcome {
  if (page.audience === 'anyone' || !(error instanceof Error) || !isOutage(error)) throw error;
  reportError(error, c.get('requestId'));
  return asFormError(
    'The service was interrupted. It is not known whether this was saved. Send the form again in a few seconds.',
    503,
  );
}

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
  if (invalid) return { formError: invalid };
  if (!page.act) throw new Error(`${page.path} has a form but no action`);
  return page.act(request, page.form ? c.req.valid('form' as never) : undefined);
}
