import { originsOf } from '../access/index.ts';
import { type CartSnapshot, checkoutPort, readCartToken } from '../cart/index.ts';
import { type Reservation, reserve } from '../inventory/index.ts';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { id, sha256 } from '../kernel/crypto/crypto.ts';
import { batch, type Database, guardFailed } from '../kernel/data/database.ts';
import { type Runtime, tenantContext } from '../kernel/data/tenant-context.ts';
import { EXTERNAL } from '../orders/index.ts';
import { type TenantRow, tenantById } from '../tenants/index.ts';
import { prefilledBuyer } from './pages/buyer.ts';
import { createProvider, providerName, readCheckoutSecrets } from './payments/resolve-provider.ts';
import { checkReturnUrl } from './return-url.ts';
import { openSession, SESSION_LIFETIME_MS } from './sessions/store.ts';
import { newSessionToken } from './sessions/token.ts';
import { externalCheckoutUrl } from './signature.ts';
import type { SessionRow } from './tables.ts';

/** A request to prepare a checkout. */
export interface StartInput {
  readonly tenantId: number;
  readonly requestUrl: string;
  readonly cartToken: string;
  /** The customer whose session the request carries. */
  readonly customerId: number | null;
  readonly returnUrl: string;
  readonly cancelUrl: string | null;
}

const TOO_MANY = 'The shop has too many open checkouts. Try again in a minute.';

/**
 * Prepares a checkout: checks the return URLs, reprices and freezes the cart, reserves its stock, and opens a
 * session. Returns the redirect URL, valid for one order and {@link SESSION_LIFETIME_MS}; earlier URLs of the
 * cart end. Fails with `unavailable` when the tenant takes no payments, and with `rate_limited` while its
 * open sessions exceed {@link MAX_SESSION_BYTES}.
 */
export async function startCheckout(
  runtime: Runtime,
  db: Database,
  input: StartInput,
): Promise<Result<string>> {
  const { env } = runtime;
  const { tenantId } = input;
  const [tenant, origins] = await Promise.all([tenantById({ db, tenantId }), originsOf({ db, tenantId })]);
  const returnUrls = returnUrlsOf(env, input, tenant, origins);
  if (!returnUrls.ok) return returnUrls;
  const cartId = readCartToken(env, tenantId, input.cartToken);
  if (cartId === null) return fail('cart_not_found');
  const payment = await paymentMethodOf(env, db, tenant);
  if (!payment.ok) return payment;

  const frozen = await checkoutPort(env, tenantId, cartId).freeze(input.customerId);
  if (!frozen.ok) return frozen;
  const snapshot = frozen.value;
  const { version, demands, totals, currency } = snapshot;
  if (payment.value.provider?.accepts(totals.grandTotal, currency) === false) {
    return fail('unavailable', { message: `The payment provider can't charge this amount in ${currency}.` });
  }
  const reservation = await reserve(tenantContext(runtime, tenantId), {
    cartId: snapshot.cartId,
    version,
    demands,
  });
  if (!reservation.ok) return reservation;
  await checkoutPort(env, tenantId, snapshot.cartId).reserved(version, reservation.value.expiresAt);

  const token = newSessionToken(env);
  const session = sessionOf(
    token,
    input,
    returnUrls.value,
    snapshot,
    reservation.value,
    tenant,
    payment.value.name,
  );
  try {
    await batch(db, openSession(db, session));
  } catch (error) {
    if (guardFailed(error)) return fail('rate_limited', { message: TOO_MANY, retryAfter: 60 });
    throw error;
  }
  const { origin, expiresAt } = session;
  const page = tenant.settings.checkout.external_url;
  if (payment.value.provider || !page) return ok(`${origin}/checkout/${token}`);
  const claims = { token, tenant: tenant.slug, origin, expiresAt };
  return ok(externalCheckoutUrl(page, claims, payment.value.checkoutSecret));
}

interface ReturnUrls {
  readonly returnUrl: URL;
  readonly cancelUrl: URL | null;
}

/** Validates both return URLs; a 422 names the field. */
function returnUrlsOf(
  env: Env,
  input: StartInput,
  { settings }: TenantRow,
  origins: readonly string[],
): Result<ReturnUrls> {
  const { requestUrl } = input;
  const rules = { env, requestUrl, hosts: settings.checkout.allowed_hosts, origins };
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
async function paymentMethodOf(env: Env, db: Database, tenant: TenantRow) {
  const name = providerName(env, tenant.settings);
  if (name === null) return fail('unavailable', { message: 'The shop does not accept payments.' });
  const read = await readCheckoutSecrets(env, db, tenant);
  if (!read.ok) return read;
  const { checkoutSecret, secrets } = read.value;
  if (name === EXTERNAL) return ok({ name, checkoutSecret, provider: null });
  const provider = await createProvider(name, tenant, secrets);
  return provider.ok ? ok({ name, checkoutSecret, provider: provider.value }) : provider;
}

const sessionOf = (
  token: string,
  { requestUrl }: StartInput,
  { returnUrl, cancelUrl }: ReturnUrls,
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
  buyer: prefilledBuyer(snapshot),
  expiresAt: now() + SESSION_LIFETIME_MS,
  createdAt: now(),
});
