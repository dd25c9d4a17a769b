import { originsOf } from '../access/index.ts';
import { type CartSnapshot, checkoutPort, readCartToken } from '../cart/index.ts';
import { type Reservation, reserve } from '../inventory/index.ts';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { id, sha256 } from '../kernel/crypto/crypto.ts';
import { batch, type Database, guardFailed } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { EXTERNAL } from '../orders/index.ts';
import { type TenantRow, tenantById } from '../tenants/index.ts';
import { knownBuyer } from './pages/buyer.ts';
import { providerName, providerOf, resolveProvider } from './payments/resolve-provider.ts';
import { checkReturnUrl } from './return-url.ts';
import { openSession, SESSION_LIFETIME_MS } from './sessions/store.ts';
import { newSessionToken } from './sessions/token.ts';
import { externalUrl } from './signature.ts';
import type { SessionRow } from './tables.ts';

/** What a storefront asks for. */
export interface StartInput {
  readonly tenantId: number;
  readonly requestUrl: string;
  readonly cartToken: string;
  /** Whose session came along, if any. */
  readonly customerId: number | null;
  readonly returnUrl: string;
  readonly cancelUrl: string | null;
}

const TOO_MANY = 'The shop has too many checkouts open at the moment.';

/**
 * Prepares a checkout: checks where the shopper may return to, prices and freezes the cart, reserves its
 * stock, and answers the URL to send the shopper to; good for one order, {@link SESSION_LIFETIME_MS}. A URL given
 * out before for the cart is void then. `unavailable` when nobody takes the tenant's money, `rate_limited`
 * while the tenant's open checkouts take more than {@link MAX_SESSION_BYTES}.
 */
export async function startCheckout(
  runtime: Runtime,
  db: Database,
  departure: StartInput,
): Promise<Result<string>> {
  const { env } = runtime;
  const { tenantId } = departure;
  const [tenant, origins] = await Promise.all([tenantById(db, tenantId), originsOf(db, tenantId)]);
  const places = placesOf(env, departure, tenant, origins);
  if (!places.ok) return places;
  const cartId = readCartToken(env, tenantId, departure.cartToken);
  if (cartId === null) return fail('cart_not_found');
  const taker = await takerOf(env, db, tenant);
  if (!taker.ok) return taker;

  const frozen = await checkoutPort(env, tenantId, cartId).freeze(departure.customerId);
  if (!frozen.ok) return frozen;
  const snapshot = frozen.value;
  const { version, demands, totals, currency } = snapshot;
  if (taker.value.provider?.accepts(totals.grandTotal, currency) === false) {
    return fail('unavailable', { message: `The payment provider can't take this amount of ${currency}.` });
  }
  const held = await reserve(runtime, db, { tenantId, cartId: snapshot.cartId, version, demands });
  if (!held.ok) return held;
  await checkoutPort(env, tenantId, snapshot.cartId).reserved(version, held.value.expiresAt);

  const token = newSessionToken(env);
  const session = sessionOf(token, departure, places.value, snapshot, held.value, tenant, taker.value.name);
  try {
    await batch(db, openSession(db, session));
  } catch (error) {
    if (guardFailed(error)) return fail('rate_limited', { message: TOO_MANY, retryAfter: 60 });
    throw error;
  }
  const { origin, expiresAt } = session;
  const page = tenant.settings.checkout.external_url;
  if (taker.value.provider || !page) return ok(`${origin}/checkout/${token}`);
  const named = { token, tenant: tenant.slug, origin, expiresAt };
  return ok(externalUrl(page, named, taker.value.checkoutSecret));
}

interface ReturnPlaces {
  readonly returnUrl: URL;
  readonly cancelUrl: URL | null;
}

/** Where the shopper may come back to, or a 422 that names the field. */
function placesOf(
  env: Env,
  departure: StartInput,
  { settings }: TenantRow,
  origins: readonly string[],
): Result<ReturnPlaces> {
  const { requestUrl } = departure;
  const rules = { env, requestUrl, hosts: settings.checkout.allowed_hosts, origins };
  const returnUrl = checkReturnUrl('return_url', departure.returnUrl, rules);
  if (!returnUrl.ok) return returnUrl;
  if (departure.cancelUrl === null) return ok({ returnUrl: returnUrl.value, cancelUrl: null });
  const cancelUrl = checkReturnUrl('cancel_url', departure.cancelUrl, rules);
  return cancelUrl.ok ? ok({ returnUrl: returnUrl.value, cancelUrl: cancelUrl.value }) : cancelUrl;
}

/** Who takes the tenant's money, ready to: a provider, or its own checkout (then there is no provider). */
async function takerOf(env: Env, db: Database, tenant: TenantRow) {
  const name = providerName(env, tenant.settings);
  if (name === null) return fail('unavailable', { message: 'The shop takes no payments.' });
  const till = await resolveProvider(env, db, tenant);
  if (!till.ok) return till;
  const { checkoutSecret, secrets } = till.value;
  if (name === EXTERNAL) return ok({ name, checkoutSecret, provider: null });
  const provider = await providerOf(name, tenant, secrets);
  return provider.ok ? ok({ name, checkoutSecret, provider: provider.value }) : provider;
}

const sessionOf = (
  token: string,
  { requestUrl }: StartInput,
  { returnUrl, cancelUrl }: ReturnPlaces,
  snapshot: CartSnapshot,
  reservation: Reservation,
  { id: tenantId, settings }: TenantRow,
  provider: string,
): SessionRow => ({
  digest: sha256(token),
  tenantId,
  orderId: id('ord'),
  cartId: snapshot.cartId,
  cartVersion: snapshot.version,
  reservationId: reservation.id,
  status: 'open',
  provider,
  origin: new URL(requestUrl).origin,
  returnUrl: returnUrl.href,
  cancelUrl: cancelUrl?.href ?? null,
  snapshot,
  pricing: { tax: settings.tax, shipping: settings.shipping },
  buyer: knownBuyer(snapshot),
  expiresAt: now() + SESSION_LIFETIME_MS,
  createdAt: now(),
});
