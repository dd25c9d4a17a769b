import { originsOf } from '../access/index.ts';
import { type CartSnapshot, checkoutPort, readCartToken } from '../cart/index.ts';
import { type Reservation, releaseCart, reserve } from '../inventory/index.ts';
import { now } from '../kernel/core/clock.ts';
import { type Failed, fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import { id } from '../kernel/crypto/crypto.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { checkPublicUrl, isLoopback, urlRules } from '../kernel/text/public-url.ts';
import { asUri } from '../kernel/text/uri.ts';
import { toNumber } from '../kernel/values/money.ts';
import { EXTERNAL } from '../orders/index.ts';
import { requireTenant, type TenantRow } from '../tenants/index.ts';
import { prefilledBuyer } from './buyer.ts';
import type { Provider } from './payments/provider.ts';
import {
  createProvider,
  notConfigured,
  providerName,
  readCheckoutSecrets,
} from './payments/resolve-provider.ts';
import { openOrReuse, sessionToPay } from './sessions/reuse.ts';
import { SESSION_LIFETIME_MS } from './sessions/store.ts';
import { externalCheckoutUrl, sessionDigestOf, type TokenSession } from './signatures.ts';
import type { SessionRow } from './tables.ts';

/** A request to prepare a checkout. */
interface StartInput {
  readonly requestUrl: string;
  readonly cartToken: string;
  /** The customer whose session the request carries. */
  readonly customerId: number | null;
  readonly returnUrl: string;
  readonly cancelUrl: string | null;
}

/**
 * Prepares a checkout: checks the return URLs, reprices and freezes the cart, reserves its stock, and opens a
 * session. Returns the redirect URL, valid for one order and at least half of {@link SESSION_LIFETIME_MS}: the
 * same one while nothing has changed, otherwise a new one, and earlier ones end. A cart with an unpaid order
 * gets the URL that leads back to paying it. Fails with `unavailable` when the tenant takes no payments, with
 * `total_not_chargeable` when its provider can't charge the total, with `cart_locked` when the order is paid, and with
 * `rate_limited` while the tenant's open sessions exceed {@link MAX_SESSION_BYTES}, or those of the day that were
 * ordered {@link MAX_ORDERED_BYTES}.
 */
export async function startCheckout(ctx: TenantContext, input: StartInput): Promise<Result<string>> {
  const { env, tenantId } = ctx;
  const [tenant, origins] = await Promise.all([requireTenant(ctx), originsOf(ctx)]);
  const { allowed_hosts: hosts } = tenant.settings.checkout;
  const urls = returnUrlsOf(input, { env, requestUrl: input.requestUrl, hosts, origins });
  if (!urls.ok) return urls;
  const cartId = readCartToken(env, tenantId, input.cartToken);
  if (cartId === null) return fail('cart_not_found');
  const { origin } = new URL(input.requestUrl);
  const { customerId } = input;
  const opened = await openCheckout(ctx, { ...urls.value, tenant, cartId, customerId, origin });
  return opened.ok ? ok(opened.value.url) : opened;
}

/** A checkout to open, with return URLs that were checked. */
interface CheckoutToOpen extends ReturnUrls {
  readonly tenant: TenantRow;
  readonly cartId: string;
  readonly customerId: number | null;
  /** The origin of the checkout page. */
  readonly origin: string;
}

/** The session of a checkout: its token, and the URL to redirect the shopper to. */
export interface OpenedCheckout {
  readonly token: string;
  readonly url: string;
}

/** Opens the checkout of a cart as {@link startCheckout} does. */
export async function openCheckout(
  ctx: TenantContext,
  { cartId, customerId, ...parts }: CheckoutToOpen,
): Promise<Result<OpenedCheckout>> {
  const { tenant } = parts;
  const method = await paymentMethodOf(ctx, tenant);
  if (!method.ok) return method;
  const { name, provider, checkoutSecret } = method.value;
  const reserved = await reserveCart(ctx, { cartId, customerId, provider });
  const started = reserved.ok
    ? await openOrReuse(ctx, sessionOf(ctx, { ...parts, ...reserved.value, provider: name }))
    : reserved;
  const opened = started.ok ? started : await unpaidSession(ctx, started);
  if (!opened.ok) return opened;
  const { token, session } = opened.value;
  const { external_url: page } = tenant.settings.checkout;
  const url =
    page && session.provider === EXTERNAL
      ? externalCheckoutUrl(opened.value, { page, slug: tenant.slug, secret: checkoutSecret })
      : `${session.origin}/checkout/${token}`;
  return ok({ token, url });
}

/** Returns the session that leads back to paying the order that locks a cart, or else the failure. */
async function unpaidSession(ctx: TenantContext, refused: Failed): Promise<Result<TokenSession>> {
  const { code, details } = refused.failure;
  const orderId = code === 'cart_locked' ? details?.order_id : undefined;
  return typeof orderId === 'string' ? sessionToPay(ctx, orderId) : refused;
}

/** The rules for return URLs. */
interface ReturnRules {
  readonly env: { DEV_ALLOW_LOCAL_URLS?: string; API_HOSTS?: string };
  /** The request URL: the service itself is not a valid return target. */
  readonly requestUrl: string;
  /** `settings.checkout.allowed_hosts`: host names, with a port where it isn't 443. */
  readonly hosts: readonly string[];
  /** The origins of the tenant's applications. */
  readonly origins: readonly string[];
}

/**
 * Validates a return URL: a public https URL on a host that the tenant allows, else a 422 for `field`. Local
 * development also allows http and loopback.
 */
export function checkReturnUrl(field: string, text: string, rules: ReturnRules): Result<URL> {
  const { env, requestUrl, hosts, origins } = rules;
  // Reject invalid ports first: the check below removes the port.
  if (!URL.canParse(text)) return invalid(field, 'must be an absolute https URL');
  // A non-default port is valid if the tenant lists it.
  const portless = text.replace(/^(https:\/\/[^/?#]*?):\d{1,5}(?=[/?#]|$)/i, '$1');
  const local = env.DEV_ALLOW_LOCAL_URLS === 'true' && isLoopback(new URL(text).hostname);
  // In local development, the demo storefront runs on the service's own host.
  const allowed = urlRules(env, local ? undefined : requestUrl);
  const checked = checkPublicUrl(text, allowed);
  if (!checked.ok && !checkPublicUrl(portless, allowed).ok) return invalid(field, checked.problem);
  const url = new URL(asUri(text));
  if (local || hosts.includes(url.host) || origins.includes(url.origin)) return ok(url);
  return invalid(field, "must be on a host of checkout.allowed_hosts or an application's origin");
}

interface ReturnUrls {
  readonly returnUrl: URL;
  readonly cancelUrl: URL | null;
}

/** Validates both return URLs; a 422 names the field. */
function returnUrlsOf(input: StartInput, rules: ReturnRules): Result<ReturnUrls> {
  const returnUrl = checkReturnUrl('return_url', input.returnUrl, rules);
  if (!returnUrl.ok) return returnUrl;
  if (input.cancelUrl === null) return ok({ returnUrl: returnUrl.value, cancelUrl: null });
  const cancelUrl = checkReturnUrl('cancel_url', input.cancelUrl, rules);
  return cancelUrl.ok ? ok({ returnUrl: returnUrl.value, cancelUrl: cancelUrl.value }) : cancelUrl;
}

/**
 * Returns the tenant's payment provider with the checkout secret; `provider` is null for the tenant's own
 * checkout.
 */
async function paymentMethodOf(ctx: TenantContext, tenant: TenantRow) {
  const name = providerName(ctx.env, tenant.settings);
  if (name === null) return notConfigured('The shop does not accept payments.');
  const read = await readCheckoutSecrets(ctx, tenant);
  if (!read.ok) return read;
  const { checkoutSecret, secrets } = read.value;
  if (name === EXTERNAL) return ok({ name, checkoutSecret, provider: null });
  const provider = createProvider(name, tenant, secrets);
  return provider.ok ? ok({ name, checkoutSecret, provider: provider.value }) : provider;
}

/** The cart that a checkout starts from, and the provider that must accept its total. */
interface CartToReserve {
  readonly cartId: string;
  readonly customerId: number | null;
  readonly provider: Provider | null;
}

/** A frozen cart and its reservation. */
interface ReservedCart {
  readonly snapshot: CartSnapshot;
  readonly reservation: Reservation;
}

/** The most attempts to reserve the stock of a cart that is edited or merged concurrently. */
const MAX_RESERVE_ATTEMPTS = 3;

/** Reserves a cart as {@link tryToReserve} does. Begins again if the cart was edited or merged meanwhile. */
async function reserveCart(ctx: TenantContext, cart: CartToReserve): Promise<Result<ReservedCart>> {
  for (let attempt = 0; attempt < MAX_RESERVE_ATTEMPTS; attempt++) {
    const reserved = await tryToReserve(ctx, cart);
    if (reserved) return reserved;
  }
  return fail('conflict');
}

/**
 * Reprices and freezes a cart, reserves its stock, and tells the cart how long it is reserved. Returns null, without a
 * reservation, if the cart is no longer as it was frozen: the edit can't have released what was not reserved yet.
 */
async function tryToReserve(
  ctx: TenantContext,
  { cartId, customerId, provider }: CartToReserve,
): Promise<Result<ReservedCart> | null> {
  const frozen = await checkoutPort(ctx, cartId).freeze(customerId);
  if (!frozen.ok) return frozen;
  const snapshot = frozen.value;
  const { version, demands, totals, currency } = snapshot;
  if (provider?.accepts(totals.grandTotal, currency) === false) {
    return fail('total_not_chargeable', {
      details: { total: toNumber(totals.grandTotal, currency), currency },
    });
  }
  const reservation = await reserve(ctx, { cartId: snapshot.cartId, version, demands });
  if (!reservation.ok) return reservation;
  const { expiresAt } = reservation.value;
  const noted = await checkoutPort(ctx, snapshot.cartId).reserved(version, expiresAt);
  if (noted.ok && noted.value === version) return ok({ snapshot, reservation: reservation.value });
  await releaseCart(ctx, snapshot.cartId, version + 1);
  return null;
}

/** Everything that a new session is made from. */
interface SessionParts extends ReturnUrls, ReservedCart {
  readonly tenant: TenantRow;
  /** The name of the payment provider. */
  readonly provider: string;
  readonly origin: string;
}

function sessionOf({ env, tenantId }: TenantContext, parts: SessionParts): SessionRow {
  const orderId = id('ord');
  return {
    digest: sessionDigestOf(env, tenantId, orderId),
    tenantId,
    orderId,
    cartId: parts.snapshot.cartId,
    cartVersion: parts.snapshot.version,
    reservationId: parts.reservation.id,
    status: 'open',
    provider: parts.provider,
    origin: parts.origin,
    returnUrl: parts.returnUrl.href,
    cancelUrl: parts.cancelUrl?.href ?? null,
    snapshot: parts.snapshot,
    pricing: { tax: parts.tenant.settings.tax, shipping: parts.tenant.settings.shipping },
    buyer: prefilledBuyer(parts.snapshot),
    expiresAt: now() + SESSION_LIFETIME_MS,
    createdAt: now(),
  };
}
