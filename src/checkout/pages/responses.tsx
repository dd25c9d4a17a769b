/** The responses of the checkout pages. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Database } from '../../kernel/data/database.ts';
import type { Runtime } from '../../kernel/data/tenant-context.ts';
import type { App } from '../../kernel/http/context.ts';
import type { StoredOrder } from '../../orders/index.ts';
import { readCheckoutSecrets } from '../payments/resolve-provider.ts';
import { orderBuyer, orderPurchase, sessionPurchase } from '../sessions/purchase.ts';
import { countryOf } from '../sessions/session-totals.ts';
import type { LoadedSession } from '../sessions/store.ts';
import { externalCheckoutUrl, signedReturn } from '../signature.ts';
import { brandingOf, DEFAULT_BRANDING } from './branding.ts';
import { Checkout, type CheckoutView } from './form.tsx';
import { html, redirect } from './html.ts';
import { Notice } from './layout.tsx';

/** A request to a checkout page, with its loaded session. */
export interface PageRequest {
  readonly c: Context<App>;
  readonly runtime: Runtime;
  readonly db: Database;
  readonly loaded: LoadedSession;
}

/** The message of a checkout that has ended. */
export const SESSION_ENDED =
  'This checkout is no longer valid: it has expired, or the cart was changed. Please start again from your cart.';
/** The message of a cancelled order. */
export const ORDER_CANCELLED =
  'This order was cancelled. You do not have to pay anything, and any payment is refunded.';
/** The message when the payment provider is unreachable. */
export const PROVIDER_UNREACHABLE =
  'The payment provider cannot be reached at the moment. Please try again in a minute.';
/** The message when a payment failed because of an internal error. */
export const PAYMENT_INTERRUPTED =
  'Something went wrong on our side before the payment was complete. Please press the button again: you will not be charged twice.';

/** Responds with a 404 page without branding. */
export const notFoundPage = (c: Context<App>, text: string) =>
  html(
    c,
    <Notice branding={DEFAULT_BRANDING} title="Not found" text={text} back={null} />,
    DEFAULT_BRANDING.nonce,
    404,
  );

/** Responds with a message and a link back to the shop. */
export async function noticePage(
  { c, db, loaded: { session, tenant } }: PageRequest,
  title: string,
  text: string,
  status: ContentfulStatusCode,
): Promise<Response> {
  const branding = await brandingOf(db, tenant);
  const back = session.cancelUrl ?? session.returnUrl;
  return html(
    c,
    <Notice branding={branding} title={title} text={text} back={back} />,
    branding.nonce,
    status,
  );
}

/** Responds with the checkout page and the latest input; 422 if a field is invalid. */
export async function checkoutPage(
  { c, db, loaded: { session, tenant, order: known } }: PageRequest,
  more: Partial<Pick<CheckoutView, 'draft' | 'errors' | 'message'>> = {},
  order: StoredOrder | null = known,
): Promise<Response> {
  const branding = await brandingOf(db, tenant);
  const draft = order ? orderBuyer(order) : (more.draft ?? session.buyer);
  const view: CheckoutView = {
    session,
    draft,
    purchase: order ? orderPurchase(order) : sessionPurchase(session, draft.country ?? countryOf(session)),
    errors: more.errors ?? {},
    message: more.message ?? null,
    order: order?.row.number ?? null,
    test: session.provider === 'sandbox',
  };
  const status = more.errors ? 422 : 200;
  return html(c, <Checkout branding={branding} view={view} />, branding.nonce, status);
}

/** Redirects to the shop with the order's signed status, or shows the status if the secret can't be read. */
export async function returnToShop(request: PageRequest, order: StoredOrder): Promise<Response> {
  const { c, runtime, db, loaded } = request;
  const secrets = await readCheckoutSecrets(runtime.env, db, loaded.tenant).catch(() => null);
  if (!secrets?.ok)
    return noticePage(request, 'Thank you', `Your order ${order.row.number} is ${order.row.status}.`, 200);
  return redirect(c, signedReturn(loaded.session.returnUrl, order, secrets.value.checkoutSecret));
}

/**
 * Redirects to the cancel URL. Without one, redirects to the return URL, with the signed status if there is
 * an order.
 */
export const leaveCheckout = (
  request: PageRequest,
  order: StoredOrder | null,
): Promise<Response> | Response => {
  const { cancelUrl, returnUrl } = request.loaded.session;
  if (cancelUrl === null && order) return returnToShop(request, order);
  return redirect(request.c, cancelUrl ?? returnUrl);
};

/** Redirects to the tenant's own checkout. */
export async function redirectToExternal(request: PageRequest): Promise<Response> {
  const { c, runtime, db, loaded } = request;
  const { session, tenant, token } = loaded;
  const page = tenant.settings.checkout.external_url;
  const secrets = await readCheckoutSecrets(runtime.env, db, tenant);
  if (!page || !secrets.ok) return noticePage(request, 'Not available', PROVIDER_UNREACHABLE, 503);
  const { origin, expiresAt } = session;
  const claims = { token, tenant: tenant.slug, origin, expiresAt };
  return redirect(c, externalCheckoutUrl(page, claims, secrets.value.checkoutSecret));
}
