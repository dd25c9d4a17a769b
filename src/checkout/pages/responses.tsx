/** The responses of the checkout pages. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { App } from '../../kernel/http/context.ts';
import { presentOrder, type StoredOrder } from '../../orders/index.ts';
import type { TenantRow } from '../../tenants/index.ts';
import { DEFAULT_COLORS, readTheme } from '../../theme/index.ts';
import { type BuyerDraft, prefilledBuyer } from '../buyer.ts';
import { readCheckoutSecrets } from '../payments/resolve-provider.ts';
import type { LoadedSession } from '../sessions/load-session.ts';
import { deliveryOf, orderBuyer, orderPurchase, sessionPurchase } from '../sessions/purchase.ts';
import { externalCheckoutUrl, signedReturn } from '../signatures.ts';
import type { SessionRow } from '../tables.ts';
import { knowsBuyer } from './buyer-cookie.ts';
import { Checkout, type CheckoutView } from './form/form.tsx';
import { type ReadShopper, shopperOf, withDefaults } from './form/saved-addresses.tsx';
import { html, redirect } from './html.ts';
import { type Branding, type NextStep, Notice } from './layout.tsx';
import { Thanks } from './thanks.tsx';

/** A request to a checkout page, with the context of the session's tenant. */
export interface PageRequest {
  readonly c: Context<App>;
  readonly ctx: TenantContext;
  readonly loaded: LoadedSession;
  readonly readShopper: ReadShopper;
  /** Whether the order's buyer was entered with this request, whose response sets the cookie. */
  readonly isBuyers?: boolean;
}

/** A page with one message for the shopper. */
export interface NoticeText {
  readonly title: string;
  readonly text: string;
  readonly status: ContentfulStatusCode;
}

/** The notice of a checkout that has ended. */
export const CHECKOUT_ENDED: NoticeText = {
  title: 'Checkout has ended',
  text: 'This checkout is no longer valid: it has expired, or the cart was changed. Please start again from your cart.',
  status: 410,
};
/** The notice for an agent's buyer who leaves the checkout of a shop without pages of its own. */
const CHECKOUT_LEFT: NoticeText = {
  title: 'You left the checkout',
  text: 'Nothing was ordered. The link from your assistant leads back to your checkout.',
  status: 200,
};
/** The notice of a cancelled order. */
export const ORDER_CANCELLED: NoticeText = {
  title: 'Order cancelled',
  text: 'This order was cancelled. You do not have to pay anything, and any payment is refunded.',
  status: 410,
};
/** The message when the payment provider is unreachable. */
export const PROVIDER_UNREACHABLE =
  'The payment provider cannot be reached at the moment. Please try again in a minute.';
/** The notice of a shop that takes no payments at the moment. */
export const NOT_AVAILABLE: NoticeText = { title: 'Not available', text: PROVIDER_UNREACHABLE, status: 503 };
/** The message on the page of an order that waits for a provider which the shop no longer uses. */
export const PROVIDER_CHANGED =
  'The shop no longer takes this payment. Please cancel the order, and order again from your cart.';
/** The notice of an order that waits for a checkout of the shop's own which is gone. The cron alone ends it. */
const CHECKOUT_REMOVED: NoticeText = {
  title: 'Not available',
  text: 'The shop no longer takes this payment. The order ends by itself within an hour. You can order again from your cart then.',
  status: 410,
};
/** The notice of a suspended shop. The session lasts: its link goes on once the shop is active again. */
export const SHOP_CLOSED: NoticeText = {
  title: 'Not available',
  text: 'This shop is closed at the moment. Please try again later.',
  status: 503,
};

/** The branding of pages that belong to no shop. The nonce is fixed because these pages show no input. */
const DEFAULT_BRANDING: Branding = {
  shop: 'Checkout',
  theme: { colors: DEFAULT_COLORS },
  nonce: 'checkout',
};

/** Returns a shop's branding with a fresh CSP nonce. */
async function brandingOf(ctx: TenantDatabase, { name }: TenantRow): Promise<Branding> {
  const { options } = await readTheme(ctx);
  return { shop: name, theme: options, nonce: randomBase62(22) };
}

/** Responds with a message on a page without a shop's branding. */
export const plainNotice = (c: Context<App>, { title, text, status }: NoticeText): Response =>
  html(c, {
    page: <Notice branding={DEFAULT_BRANDING} title={title} text={text} next={null} />,
    nonce: DEFAULT_BRANDING.nonce,
    status,
  });

/**
 * Returns the shop's page to which a shopper leaves the checkout; null for an agent's buyer if the shop states no
 * pages.
 */
const shopUrlOf = ({ cancelUrl, returnUrl, snapshot }: SessionRow): string | null =>
  cancelUrl ?? (snapshot.agent ? null : returnUrl);

/** Returns the way back to the shop. */
const backTo = (url: string): NextStep => ({ label: 'Back to the shop', url });

/** Responds with a message and a link back to the shop, or to the agent's checkout if there is no shop to go to. */
export async function noticePage(
  { c, ctx, loaded: { session, tenant } }: PageRequest,
  { title, text, status }: NoticeText,
): Promise<Response> {
  const branding = await brandingOf(ctx, tenant);
  const shopUrl = shopUrlOf(session);
  const next = shopUrl ? backTo(shopUrl) : { label: 'Back to the checkout', url: session.returnUrl };
  return html(c, {
    page: <Notice branding={branding} title={title} text={text} next={next} />,
    nonce: branding.nonce,
    status,
  });
}

/** Responds with the checkout page and the latest input; by default 422 if a field is invalid. */
export async function checkoutPage(
  request: PageRequest,
  more: Partial<Pick<CheckoutView, 'draft' | 'billing' | 'errors' | 'message'>> & {
    readonly status?: 409 | 503;
  } = {},
  order: StoredOrder | null = request.loaded.order,
): Promise<Response> {
  const { c, ctx, loaded } = request;
  const { session, tenant } = loaded;
  const branding = await brandingOf(ctx, tenant);
  const shopper = await shopperOf(ctx, session, request.readShopper);
  const draft = order
    ? shownBuyer(request, order)
    : (more.draft ?? withDefaults(shownDraft(request), shopper));
  const view: CheckoutView = {
    session,
    draft,
    billing: more.billing ?? false,
    saved: order ? [] : shopper.addresses,
    purchase: order
      ? { ...orderPurchase(order), country: draft.country ?? null }
      : sessionPurchase(session, deliveryOf(session, draft)),
    errors: more.errors ?? {},
    message: more.message ?? null,
    order: order?.row.number ?? null,
    hasShop: shopUrlOf(session) !== null,
    test: session.provider === 'sandbox',
  };
  return html(c, {
    page: <Checkout branding={branding} view={view} />,
    nonce: branding.nonce,
    status: more.status ?? (more.errors ? 422 : 200),
  });
}

/** Returns an order's buyer to the browser in which the order was placed; to others, nothing. */
function shownBuyer(request: PageRequest, order: StoredOrder): BuyerDraft {
  const buyer = orderBuyer(order);
  return request.isBuyers || knowsBuyer(request, buyer) ? buyer : {};
}

/**
 * Returns the input of an open session to the browser in which it was entered, and to the cart's customer,
 * who alone gets the URL of a session with contact data. To others, what the session was opened with: also what
 * an agent gathered, whose link may be shared more widely than what is typed on the page may be.
 */
export function shownDraft(request: PageRequest): BuyerDraft {
  const { buyer, snapshot } = request.loaded.session;
  const isOwners = snapshot.contactShown && snapshot.agent === undefined;
  return isOwners || knowsBuyer(request, buyer) ? buyer : prefilledBuyer(snapshot);
}

/**
 * Responds with the page of a paid order. Downloads and tracking are shown only in the browser in which the
 * order was placed.
 */
export async function thanksPage(request: PageRequest, order: StoredOrder): Promise<Response> {
  const { c, ctx, loaded } = request;
  const { session, tenant } = loaded;
  const branding = await brandingOf(ctx, tenant);
  const known = knowsBuyer(request, orderBuyer(order));
  const shopUrl = shopUrlOf(session);
  const view = {
    number: order.row.number,
    order: known ? presentOrder(ctx.env, order) : null,
    next: shopUrl ? backTo(shopUrl) : null,
  };
  return html(c, {
    page: <Thanks branding={branding} view={view} />,
    nonce: branding.nonce,
    status: 200,
  });
}

/** Returns the path of a paid order's page. */
const thanksPath = (token: string): string => `/checkout/${token}/thanks`;

/** Redirects to the shop with the order's signed status, or shows the status if the secret can't be read. */
export async function returnToShop(request: PageRequest, order: StoredOrder): Promise<Response> {
  const { c, ctx, loaded } = request;
  // The buyer of an agent comes from a conversation: no storefront page waits for the signed status.
  const isAgents = loaded.session.snapshot.agent !== undefined;
  if (isAgents && order.row.status === 'paid') return redirect(c, thanksPath(loaded.token));
  const secrets = await readCheckoutSecrets(ctx, loaded.tenant).catch(() => null);
  if (!secrets?.ok) {
    if (order.row.status === 'paid') return thanksPage(request, order);
    const text = `Your order ${order.row.number} is ${order.row.status}.`;
    return noticePage(request, { title: 'Thank you', text, status: 200 });
  }
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
  const { session } = request.loaded;
  const shopUrl = shopUrlOf(session);
  if (shopUrl === null) return noticePage(request, order ? ORDER_CANCELLED : CHECKOUT_LEFT);
  if (session.cancelUrl === null && order) return returnToShop(request, order);
  return redirect(request.c, shopUrl);
};

/** Redirects to the tenant's own checkout. */
export async function redirectToExternal(request: PageRequest): Promise<Response> {
  const { c, ctx, loaded } = request;
  const { tenant, order } = loaded;
  const page = tenant.settings.checkout.external_url;
  if (!page) return noticePage(request, order ? CHECKOUT_REMOVED : CHECKOUT_ENDED);
  const secrets = await readCheckoutSecrets(ctx, tenant);
  if (!secrets.ok) return noticePage(request, NOT_AVAILABLE);
  const target = { page, slug: tenant.slug, secret: secrets.value.checkoutSecret };
  return redirect(c, externalCheckoutUrl(loaded, target));
}
