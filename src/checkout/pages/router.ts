import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { Failure } from '../../kernel/core/errors.ts';
import { log } from '../../kernel/core/log.ts';
import { fail } from '../../kernel/core/result.ts';
import { tenantContext } from '../../kernel/data/tenant-context.ts';
import type { App } from '../../kernel/http/context.ts';
import { secureUrlOf } from '../../kernel/http/https.ts';
import { statusOf } from '../../kernel/http/problem.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { isEncoded } from '../../kernel/input/body.ts';
import { errorFields } from '../../kernel/observe/error-fields.ts';
import { downloadUrl, EXTERNAL, orderById, readDownloadToken } from '../../orders/index.ts';
import { continueCheckout } from '../agents/continue-page.ts';
import { readContinueLink } from '../agents/continue-url.ts';
import { type BuyerDraft, draftOf, inputErrors } from '../buyer.ts';
import { syncPayment } from '../payments/pay.ts';
import { resolveProvider } from '../payments/resolve-provider.ts';
import { loadSession } from '../sessions/load-session.ts';
import { sessionStatus } from '../sessions/session-status.ts';
import { saveBuyer } from '../sessions/store.ts';
import { readSessionToken } from '../signatures.ts';
import { cancelCheckout, placeAndPay, respondToOutcome } from './actions.ts';
import { rememberBuyer } from './buyer-cookie.ts';
import { type ReadShopper, shopperOf, withAddress } from './form/saved-addresses.tsx';
import { isOwnForm, readForm, redirect } from './html.ts';
import {
  CHECKOUT_ENDED,
  checkoutPage,
  leaveCheckout,
  type NoticeText,
  noticePage,
  ORDER_CANCELLED,
  type PageRequest,
  plainNotice,
  redirectToExternal,
  returnToShop,
  SHOP_CLOSED,
  shownDraft,
  thanksPage,
} from './responses.tsx';
import { countVisits } from './visits.ts';

const NO_SESSION: NoticeText = { title: 'Not found', text: 'This checkout link is not valid.', status: 404 };
const NO_DOWNLOAD: NoticeText = {
  title: 'Not found',
  text: 'This download link is no longer valid. Please ask the shop for a new one.',
  status: 404,
};
const METHOD_NOT_ALLOWED: NoticeText = {
  title: 'Method not allowed',
  text: 'This page does not support the request method.',
  status: 405,
};
const TOO_MANY_VISITS: NoticeText = {
  title: 'Too many requests',
  text: 'This link was opened very often. Please wait a few seconds, and try again.',
  status: 429,
};
const PAGE_FAILED: NoticeText = {
  title: 'Please try again',
  text: 'Something went wrong on our side. Your data is safe. Please reload the page in a moment.',
  status: 503,
};

const token = (c: Context<App>) => c.req.param('session') ?? '';

/** A request before its session is loaded. */
type Visit = Pick<PageRequest, 'c' | 'readShopper'>;

/** Loads the session and runs the handler, or responds with 404. */
async function withSession(
  { c, readShopper }: Visit,
  page: (request: PageRequest) => Promise<Response>,
): Promise<Response> {
  const loaded = await loadSession(c.env, token(c));
  if (!loaded.ok) return plainNotice(c, NO_SESSION);
  const { tenantId } = loaded.value.session;
  c.set('tenantId', tenantId);
  const ctx = tenantContext({ env: c.env, ctx: c.executionCtx }, tenantId, { kind: 'shopper' });
  return page({ c, ctx, loaded: loaded.value, readShopper });
}

async function showCheckout(request: PageRequest): Promise<Response> {
  const { order, session } = request.loaded;
  switch (await sessionStatus(request.ctx, request.loaded)) {
    case 'paid':
      return order
        ? returnToShop(request, order)
        : noticePage(request, { ...CHECKOUT_ENDED, title: 'Checkout' });
    case 'cancelled':
      return noticePage(request, ORDER_CANCELLED);
    case 'ended':
      return noticePage(request, CHECKOUT_ENDED);
    case 'closed':
      return noticePage(request, SHOP_CLOSED);
    case 'pending':
    case 'open':
      return session.provider === EXTERNAL ? redirectToExternal(request) : checkoutPage(request);
  }
}

/**
 * Handles a submitted form. Session and order are read after the body has arrived, so that concurrent changes
 * apply.
 */
async function submit(visit: Visit): Promise<Response> {
  const { c } = visit;
  if (!readSessionToken(c.env, token(c))) return plainNotice(c, NO_SESSION);
  const form = isOwnForm(c) ? await readForm(c) : fail('conflict');
  if (!form.ok) return withSession(visit, (loaded) => rejectForm(loaded, form.failure));
  return withSession(visit, (loaded) => handleForm(loaded, form.value));
}

/** Responds to a form that is not accepted. */
function rejectForm(request: PageRequest, { code }: Failure): Promise<Response> {
  if (isEncoded(request.c.req.raw.headers)) setHeaders(request.c, { 'Accept-Encoding': 'identity' });
  const text =
    code === 'request_timeout'
      ? 'The form took too long to arrive. Please send it again.'
      : 'Please use the form of this page.';
  return noticePage(request, { title: 'Checkout', text, status: statusOf(code) });
}

async function handleForm(request: PageRequest, form: URLSearchParams): Promise<Response> {
  const { c, ctx, loaded } = request;
  const status = await sessionStatus(ctx, loaded);
  const action = form.get('action');
  if (status !== 'open' && status !== 'pending') {
    return action === 'cancel' && status !== 'paid'
      ? leaveCheckout(request, loaded.order)
      : showCheckout(request);
  }
  if (loaded.session.provider === EXTERNAL) return redirectToExternal(request);
  if (action === 'cancel') return cancelCheckout(request);
  const draft = status === 'open' ? await draftFrom(request, form) : loaded.session.buyer;
  const errors = inputErrors(draft);
  if (errors) return checkoutPage(request, { draft, errors });
  if (action === 'pay' || action === 'decline') {
    const shownTotal = form.get('shown_total');
    return placeAndPay(request, { draft, shownTotal, decline: action === 'decline' });
  }
  // The order has its buyer already, so this form was sent from an outdated page.
  if (status === 'pending') return redirect(c, `/checkout/${loaded.token}`);
  await saveBuyer(ctx, loaded.session, draft);
  rememberBuyer(request, draft);
  if (action === 'billing') return checkoutPage(request, { draft, billing: true });
  return redirect(c, `/checkout/${loaded.token}`);
}

/**
 * Returns the input of the form, with the chosen one of the offered addresses in place of its own. A form without
 * fields has what this browser sees.
 */
async function draftFrom(request: PageRequest, form: URLSearchParams): Promise<BuyerDraft> {
  if (form.get('action') !== 'use_address') return draftOf(form);
  const { ctx, loaded, readShopper } = request;
  const known = form.has('email') ? draftOf(form) : shownDraft(request);
  const { addresses } = await shopperOf(ctx, loaded.session, readShopper);
  const chosen = addresses.find(({ id }) => id === form.get('saved_address'));
  return chosen ? withAddress(known, chosen) : known;
}

/**
 * Handles the return from the provider. Asks the provider for the status, since the redirect proves nothing.
 */
async function returnFromProvider(request: PageRequest): Promise<Response> {
  const { ctx, loaded } = request;
  const { session, tenant, order } = loaded;
  if (!order) return showCheckout(request);
  const provider = await resolveProvider(ctx, tenant, session.provider);
  if (!provider.ok || !provider.value) return showCheckout(request);
  const check = { orderId: order.row.id, provider: provider.value, end: false };
  try {
    const checked = await syncPayment(ctx, check);
    return checked.ok ? respondToOutcome(request, checked.value) : showCheckout(request);
  } catch (error) {
    log('payment_unfinished', { tenant: ctx.tenantId, order: order.row.id, ...errorFields(error) });
    // The order may be paid despite the failure.
    const read = await orderById(ctx, order.row.id);
    return returnToShop(request, read.ok ? read.value : order);
  }
}

/** Shows a paid order with its downloads and tracking; before, leads back to paying it. */
async function showThanks(request: PageRequest): Promise<Response> {
  const { c, loaded } = request;
  switch (loaded.order?.row.status) {
    case 'paid':
      return thanksPage(request, loaded.order);
    case 'cancelled':
      return noticePage(request, ORDER_CANCELLED);
    default:
      return redirect(c, `/checkout/${loaded.token}`);
  }
}

async function download(c: Context<App>): Promise<Response> {
  const url = await downloadUrl(c.env, c.req.param('token') ?? '');
  return url ? redirect(c, url, 302) : plainNotice(c, NO_DOWNLOAD);
}

/** Responds with 405 and the allowed methods (RFC 9110, 15.5.6). */
const methodNotAllowed = (methods: string) => (c: Context<App>) => {
  setHeaders(c, { Allow: methods });
  return plainNotice(c, METHOD_NOT_ALLOWED);
};

/** Returns what names a request's link, or null if the link is not valid. */
const linkOf = {
  session: (c: Context<App>) => readSessionToken(c.env, token(c))?.digest ?? null,
  continued: (c: Context<App>) => readContinueLink(c.env, c.req.param('link') ?? '')?.cartId ?? null,
  download: (c: Context<App>) => {
    const file = readDownloadToken(c.env, c.req.param('token') ?? '');
    return file && `${file.orderId} ${file.lineId} ${file.linkId}`;
  },
};

/** Leads to https before anything is read or shown: shoppers type their addresses here. */
const overHttps: MiddlewareHandler<App> = async (c, next) => {
  const secureUrl = secureUrlOf(c.req.url, c.env);
  return secureUrl === null ? next() : redirect(c, secureUrl, 308);
};

/** Returns the routes that shoppers visit: hosted checkout and downloads. */
export function checkoutPages(readShopper: ReadShopper): Hono<App> {
  const pages = new Hono<App>();
  const refuse = (c: Context<App>) => plainNotice(c, TOO_MANY_VISITS);
  for (const path of ['/checkout/*', '/downloads/*']) pages.use(path, overHttps);
  pages.use('/checkout/:session/*', countVisits(linkOf.session, refuse));
  pages.use('/checkout/continue/:link', countVisits(linkOf.continued, refuse));
  pages.use('/downloads/:token', countVisits(linkOf.download, refuse));
  pages
    .get('/checkout/:session', (c) => withSession({ c, readShopper }, showCheckout))
    .post((c) => submit({ c, readShopper }))
    .all(methodNotAllowed('GET, HEAD, POST'));
  pages
    .get('/checkout/:session/return', (c) => withSession({ c, readShopper }, returnFromProvider))
    .all(methodNotAllowed('GET, HEAD'));
  pages
    .get('/checkout/:session/thanks', (c) => withSession({ c, readShopper }, showThanks))
    .all(methodNotAllowed('GET, HEAD'));
  pages.get('/checkout/continue/:link', continueCheckout).all(methodNotAllowed('GET, HEAD'));
  pages.get('/downloads/:token', download).all(methodNotAllowed('GET, HEAD'));
  pages.onError((error, c) => {
    log('page_error', { request_id: c.get('requestId'), ...errorFields(error) });
    return plainNotice(c, PAGE_FAILED);
  });
  return pages;
}
