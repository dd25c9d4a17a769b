/** What a checkout page's request is answered with. */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Database } from '../../kernel/data/database.ts';
import type { App, Runtime } from '../../kernel/http/context.ts';
import type { StoredOrder } from '../../orders/index.ts';
import { resolveProvider } from '../payments/resolve-provider.ts';
import { frozenPurchase, orderedBy, orderedPurchase } from '../sessions/purchase.ts';
import { countryOf } from '../sessions/session-totals.ts';
import type { LoadedSession } from '../sessions/store.ts';
import { externalUrl, signedReturn } from '../signature.ts';
import { brandingOf, NOBODY } from './branding.ts';
import { Checkout, type View } from './form.tsx';
import { html, redirect } from './html.ts';
import { Notice } from './layout.tsx';

/** One request of a checkout page. */
export interface PageRequest {
  readonly c: Context<App>;
  readonly runtime: Runtime;
  readonly db: Database;
  readonly loaded: LoadedSession;
}

/** What pages say of a checkout that has ended, … */
export const GONE =
  'This checkout is no longer valid: its time is over, or the cart was changed. Please start again from your cart.';
/** … of an order that was cancelled, … */
export const CANCELLED = 'This order was cancelled. Nothing has to be paid, and what was paid goes back.';
/** … where nobody can be asked to take the money, … */
export const UNREACHABLE =
  'The payment provider cannot be reached at the moment. Please try again in a minute.';
/** … and where a payment broke off because of us. */
export const UNFINISHED =
  'Something went wrong on our side before the payment was complete. Please press the button again: nobody is charged twice.';

/** Says that there is nothing here, on a page of no shop. */
export const unknown = (c: Context<App>, text: string) =>
  html(c, <Notice face={NOBODY} title="Not found" text={text} back={null} />, NOBODY.nonce, 404);

/** Says one thing, on a page of the shop that leads back to it. */
export async function say(
  { c, db, loaded: { session, tenant } }: PageRequest,
  title: string,
  text: string,
  status: ContentfulStatusCode,
): Promise<Response> {
  const face = await brandingOf(db, tenant);
  const back = session.cancelUrl ?? session.returnUrl;
  return html(c, <Notice face={face} title={title} text={text} back={back} />, face.nonce, status);
}

/** The checkout page, with what was typed last; 422 where something of it is wrong. */
export async function show(
  { c, db, loaded: { session, tenant, order: known } }: PageRequest,
  more: Partial<Pick<View, 'draft' | 'errors' | 'message'>> = {},
  order: StoredOrder | null = known,
): Promise<Response> {
  const face = await brandingOf(db, tenant);
  const draft = order ? orderedBy(order) : (more.draft ?? session.buyer);
  const view: View = {
    session,
    draft,
    purchase: order ? orderedPurchase(order) : frozenPurchase(session, draft.country ?? countryOf(session)),
    errors: more.errors ?? {},
    message: more.message ?? null,
    order: order?.row.number ?? null,
    test: session.provider === 'sandbox',
  };
  const status = more.errors ? 422 : 200;
  return html(c, <Checkout face={face} view={view} />, face.nonce, status);
}

/** Sends the shopper back to the shop with how the order stands, signed; or says it where that can't be. */
export async function home(visit: PageRequest, order: StoredOrder): Promise<Response> {
  const { c, runtime, db, loaded } = visit;
  const till = await resolveProvider(runtime.env, db, loaded.tenant).catch(() => null);
  if (!till?.ok)
    return say(visit, 'Thank you', `Your order ${order.row.number} is ${order.row.status}.`, 200);
  return redirect(c, signedReturn(loaded.session.returnUrl, order, till.value.checkoutSecret));
}

/** Sends the shopper back to the shop without having bought. */
export const away = (visit: PageRequest, order: StoredOrder | null): Promise<Response> | Response => {
  const { cancelUrl, returnUrl } = visit.loaded.session;
  if (cancelUrl === null && order) return home(visit, order);
  return redirect(visit.c, cancelUrl ?? returnUrl);
};

/** Sends the shopper on to the tenant's own checkout. */
export async function outside(visit: PageRequest): Promise<Response> {
  const { c, runtime, db, loaded } = visit;
  const { session, tenant, token } = loaded;
  const page = tenant.settings.checkout.external_url;
  const till = await resolveProvider(runtime.env, db, tenant);
  if (!page || !till.ok) return say(visit, 'Not available', UNREACHABLE, 503);
  const { origin, expiresAt } = session;
  const named = { token, tenant: tenant.slug, origin, expiresAt };
  return redirect(c, externalUrl(page, named, till.value.checkoutSecret));
}
