import { type Context, Hono } from 'hono';
import type { Failure } from '../../kernel/core/errors.ts';
import { fail } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import { isEncoded } from '../../kernel/http/body.ts';
import type { App } from '../../kernel/http/context.ts';
import { statusOf } from '../../kernel/http/problem.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { EXTERNAL, orderById, purchasedFileUrl, readDownloadToken } from '../../orders/index.ts';
import { resolveProvider } from '../payments/cancel-order.ts';
import { syncPayment } from '../payments/pay.ts';
import { sessionStatus } from '../sessions/session-status.ts';
import { loadSession, saveBuyer } from '../sessions/store.ts';
import { isSessionToken } from '../sessions/token.ts';
import { cancelCheckout, placeAndPay, respondToOutcome } from './actions.ts';
import { DEFAULT_BRANDING } from './branding.ts';
import { draftOf, inputErrors } from './buyer.ts';
import { html, isOwnForm, readForm, redirect } from './html.ts';
import { Notice } from './layout.tsx';
import {
  checkoutPage,
  leaveCheckout,
  notFoundPage,
  noticePage,
  ORDER_CANCELLED,
  type PageRequest,
  redirectToExternal,
  returnToShop,
  SESSION_ENDED,
} from './responses.tsx';

const NO_SESSION = 'This checkout link is not valid.';

const token = (c: Context<App>) => c.req.param('session') ?? '';

/** Loads the session and runs the handler, or responds with 404. */
async function withSession(
  c: Context<App>,
  page: (request: PageRequest) => Promise<Response>,
): Promise<Response> {
  const db = database(c.env);
  const loaded = await loadSession(c.env, db, token(c));
  if (!loaded.ok) return notFoundPage(c, NO_SESSION);
  return page({ c, runtime: { env: c.env, ctx: c.executionCtx }, db, loaded: loaded.value });
}

async function get(request: PageRequest): Promise<Response> {
  const { order, session } = request.loaded;
  switch (await sessionStatus(request.runtime.env, request.db, request.loaded)) {
    case 'paid':
      return order ? returnToShop(request, order) : noticePage(request, 'Checkout', SESSION_ENDED, 410);
    case 'cancelled':
      return noticePage(request, 'Order cancelled', ORDER_CANCELLED, 410);
    case 'ended':
      return noticePage(request, 'Checkout has ended', SESSION_ENDED, 410);
    case 'pending':
    case 'open':
      return session.provider === EXTERNAL ? redirectToExternal(request) : checkoutPage(request);
  }
}

/**
 * Handles a submitted form. Session and order are read after the body has arrived, so that concurrent changes
 * apply.
 */
async function submit(c: Context<App>): Promise<Response> {
  if (!isSessionToken(c.env, token(c))) return notFoundPage(c, NO_SESSION);
  const form = isOwnForm(c) ? await readForm(c) : fail('conflict');
  if (!form.ok) return withSession(c, (loaded) => rejectForm(loaded, form.failure));
  return withSession(c, (loaded) => post(loaded, form.value));
}

/** Responds to a form that is not accepted. */
function rejectForm(request: PageRequest, { code }: Failure): Promise<Response> {
  if (isEncoded(request.c.req.raw.headers)) setHeaders(request.c, { 'Accept-Encoding': 'identity' });
  const text =
    code === 'request_timeout'
      ? 'The form took too long to arrive. Please send it again.'
      : 'Please use the form of this page.';
  return noticePage(request, 'Checkout', text, statusOf(code));
}

async function post(request: PageRequest, form: URLSearchParams): Promise<Response> {
  const { c, db, loaded } = request;
  const status = await sessionStatus(request.runtime.env, db, loaded);
  const action = form.get('action');
  if (status === 'paid' || status === 'ended' || status === 'cancelled') {
    return action === 'cancel' && status !== 'paid' ? leaveCheckout(request, loaded.order) : get(request);
  }
  if (loaded.session.provider === EXTERNAL) return redirectToExternal(request);
  if (action === 'cancel') return cancelCheckout(request);
  const draft = status === 'open' ? draftOf(form) : loaded.session.buyer;
  const errors = inputErrors(draft);
  if (errors) return checkoutPage(request, { draft, errors });
  if (action === 'pay' || action === 'decline')
    return placeAndPay(request, form, draft, action === 'decline');
  await saveBuyer(db, loaded.session, draft);
  return redirect(c, `/checkout/${loaded.token}`);
}

/**
 * Handles the return from the provider. Asks the provider for the status, since the redirect proves nothing.
 */
async function returnFromProvider(request: PageRequest): Promise<Response> {
  const { runtime, db, loaded } = request;
  const { session, tenant, order } = loaded;
  if (!order) return get(request);
  const provider = await resolveProvider(runtime.env, db, tenant, session.provider);
  if (!provider.ok || !provider.value) return get(request);
  const payable = { tenantId: tenant.id, orderId: order.row.id, provider: provider.value };
  try {
    const settled = await syncPayment(runtime, db, payable, false);
    return settled.ok ? respondToOutcome(request, settled.value) : get(request);
  } catch {
    // The order may be paid despite the failure.
    const read = await orderById({ db, tenantId: tenant.id }, order.row.id);
    return returnToShop(request, read.ok ? read.value : order);
  }
}

async function download(c: Context<App>): Promise<Response> {
  const link = readDownloadToken(c.env, c.req.param('token') ?? '');
  const url =
    link &&
    (await purchasedFileUrl(
      { db: database(c.env), tenantId: link.tenantId },
      link.orderId,
      link.lineId,
      link.linkId,
    ));
  if (!url)
    return notFoundPage(c, 'This download link is no longer valid. Please ask the shop for a new one.');
  return redirect(c, url, 302);
}

/** Responds with 405 and the allowed methods (RFC 9110, 15.5.6). */
const methodNotAllowed = (methods: string) => (c: Context<App>) => {
  setHeaders(c, { Allow: methods });
  const text = 'This page does not support the request method.';
  return html(
    c,
    <Notice branding={DEFAULT_BRANDING} title="Method not allowed" text={text} back={null} />,
    DEFAULT_BRANDING.nonce,
    405,
  );
};

/** The routes that shoppers visit: hosted checkout and downloads. */
export const checkoutPages = new Hono<App>();
checkoutPages
  .get('/checkout/:session', (c) => withSession(c, get))
  .post(submit)
  .all(methodNotAllowed('GET, HEAD, POST'));
checkoutPages
  .get('/checkout/:session/return', (c) => withSession(c, returnFromProvider))
  .all(methodNotAllowed('GET, HEAD'));
checkoutPages.get('/downloads/:token', download).all(methodNotAllowed('GET, HEAD'));
checkoutPages.onError((error, c) => {
  console.error(JSON.stringify({ event: 'page_error', request_id: c.get('requestId'), name: error.name }));
  const text = 'Something went wrong on our side. Your data is safe. Please reload the page in a moment.';
  return html(
    c,
    <Notice branding={DEFAULT_BRANDING} title="Please try again" text={text} back={null} />,
    DEFAULT_BRANDING.nonce,
    503,
  );
});
