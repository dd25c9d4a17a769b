import { type Context, Hono } from 'hono';
import type { Failure } from '../../kernel/core/errors.ts';
import { fail } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import { isEncoded } from '../../kernel/http/body.ts';
import type { App } from '../../kernel/http/context.ts';
import { statusOf } from '../../kernel/http/problem.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { EXTERNAL, fileOf, orderById, readDownloadToken } from '../../orders/index.ts';
import { providerFor } from '../payments/cancel-order.ts';
import { settle } from '../payments/pay.ts';
import { sessionStatus } from '../sessions/session-status.ts';
import { keepBuyer, loadSession } from '../sessions/store.ts';
import { isSessionToken } from '../sessions/token.ts';
import { buy, cancelCheckout, follow } from './actions.ts';
import { NOBODY } from './branding.ts';
import { draftOf, typingErrors } from './buyer.ts';
import { html, isOwnForm, readForm, redirect } from './html.ts';
import { Notice } from './layout.tsx';
import { away, CANCELLED, GONE, home, outside, type PageRequest, say, show, unknown } from './responses.tsx';

const NO_SESSION = 'This checkout link is not valid.';

const token = (c: Context<App>) => c.req.param('session') ?? '';

/** Runs a page of a session, or says that there is none. */
async function visit(c: Context<App>, page: (visit: PageRequest) => Promise<Response>): Promise<Response> {
  const db = database(c.env);
  const loaded = await loadSession(c.env, db, token(c));
  if (!loaded.ok) return unknown(c, NO_SESSION);
  return page({ c, runtime: { env: c.env, ctx: c.executionCtx }, db, loaded: loaded.value });
}

async function get(visit: PageRequest): Promise<Response> {
  const { order, session } = visit.loaded;
  switch (await sessionStatus(visit.runtime.env, visit.db, visit.loaded)) {
    case 'paid':
      return order ? home(visit, order) : say(visit, 'Checkout', GONE, 410);
    case 'cancelled':
      return say(visit, 'Order cancelled', CANCELLED, 410);
    case 'over':
      return say(visit, 'Checkout has ended', GONE, 410);
    case 'pending':
    case 'open':
      return session.provider === EXTERNAL ? outside(visit) : show(visit);
  }
}

/**
 * Takes a form of a session's page. The session and its order are read after the body has arrived: whatever
 * happened meanwhile counts.
 */
async function submit(c: Context<App>): Promise<Response> {
  if (!isSessionToken(c.env, token(c))) return unknown(c, NO_SESSION);
  const form = isOwnForm(c) ? await readForm(c) : fail('conflict');
  if (!form.ok) return visit(c, (loaded) => notOurs(loaded, form.failure));
  return visit(c, (loaded) => post(loaded, form.value));
}

/** Says that a form can't be taken, or not as it was sent. */
function notOurs(visit: PageRequest, { code }: Failure): Promise<Response> {
  if (isEncoded(visit.c.req.raw.headers)) setHeaders(visit.c, { 'Accept-Encoding': 'identity' });
  const text =
    code === 'request_timeout'
      ? 'The form took too long to arrive. Please send it again.'
      : 'Please use the form of this page.';
  return say(visit, 'Checkout', text, statusOf(code));
}

async function post(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const { c, db, loaded } = visit;
  const stage = await sessionStatus(visit.runtime.env, db, loaded);
  const action = form.get('action');
  if (stage === 'paid' || stage === 'over' || stage === 'cancelled') {
    return action === 'cancel' && stage !== 'paid' ? away(visit, loaded.order) : get(visit);
  }
  if (loaded.session.provider === EXTERNAL) return outside(visit);
  if (action === 'cancel') return cancelCheckout(visit);
  const draft = stage === 'open' ? draftOf(form) : loaded.session.buyer;
  const errors = typingErrors(draft);
  if (errors) return show(visit, { draft, errors });
  if (action === 'pay' || action === 'decline') return buy(visit, form, draft, action === 'decline');
  await keepBuyer(db, loaded.session, draft);
  return redirect(c, `/checkout/${loaded.token}`);
}

/** Where a provider sends the shopper after paying: asks it, rather than believe the visit. */
async function comeBack(visit: PageRequest): Promise<Response> {
  const { runtime, db, loaded } = visit;
  const { session, tenant, order } = loaded;
  if (!order) return get(visit);
  const provider = await providerFor(runtime.env, db, tenant, session.provider);
  if (!provider.ok || !provider.value) return get(visit);
  const payable = { tenantId: tenant.id, orderId: order.row.id, provider: provider.value };
  try {
    const settled = await settle(runtime, db, payable, false);
    return settled.ok ? follow(visit, settled.value) : get(visit);
  } catch {
    // It may be paid by now, whatever failed.
    const read = await orderById(db, tenant.id, order.row.id);
    return home(visit, read.ok ? read.value : order);
  }
}

async function download(c: Context<App>): Promise<Response> {
  const link = readDownloadToken(c.env, c.req.param('token') ?? '');
  const url = link && (await fileOf(database(c.env), link.tenantId, link.orderId, link.lineId, link.linkId));
  if (!url) return unknown(c, 'This download link is not valid any more. Please ask the shop for a new one.');
  return redirect(c, url, 302);
}

/** Says that a page doesn't take the method, and which ones it takes (RFC 9110, 15.5.6). */
const only = (methods: string) => (c: Context<App>) => {
  setHeaders(c, { Allow: methods });
  const text = 'This page cannot be asked for in this way.';
  return html(c, <Notice face={NOBODY} title="Not possible" text={text} back={null} />, NOBODY.nonce, 405);
};

/** The pages that shoppers see: the hosted checkout, and downloads. */
export const checkoutPages = new Hono<App>();
checkoutPages
  .get('/checkout/:session', (c) => visit(c, get))
  .post(submit)
  .all(only('GET, HEAD, POST'));
checkoutPages.get('/checkout/:session/return', (c) => visit(c, comeBack)).all(only('GET, HEAD'));
checkoutPages.get('/downloads/:token', download).all(only('GET, HEAD'));
checkoutPages.onError((error, c) => {
  console.error(JSON.stringify({ event: 'page_error', request_id: c.get('requestId'), name: error.name }));
  const text =
    'Something went wrong on our side, and nothing was lost. Please load the page again in a moment.';
  return html(
    c,
    <Notice face={NOBODY} title="Please try again" text={text} back={null} />,
    NOBODY.nonce,
    503,
  );
});
