import { MINUTE } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { EXTERNAL } from '../../orders/index.ts';
import { readSecrets, type Secrets, type Settings, type TenantRow } from '../../tenants/index.ts';
import type { Provider } from './provider.ts';
import { stripeProvider } from './stripe.ts';

/** The tenant fields that resolve a provider. */
export type PaymentTenant = Pick<TenantRow, 'id' | 'slug'>;

/** The provider `sandbox`: the shopper chooses whether the payment succeeds; no money moves. */
const sandbox: Provider = {
  name: 'sandbox',
  test: true,
  paymentWindowMs: 30 * MINUTE,
  accepts: () => true,
  begin: async ({ payment, decline }) => ({
    state: decline ? 'declined' : 'paid',
    payment: { provider: 'sandbox', reference: `${decline ? 'declined' : 'sandbox'}_${payment.id}` },
  }),
  checkStatus: async (_, end) => ({ state: end ? 'ended' : 'open' }),
  reportOf: async () => ({ refunds: [], disputes: [] }),
  refund: async (_, { id: refundId, amount }) => ({
    state: 'made',
    refund: {
      reference: `sandbox_${refundId}`,
      refundId,
      amount,
      status: 'succeeded',
      failureReason: null,
    },
  }),
  parseCallback: async () => null,
};

/**
 * Returns the name of a tenant's payment provider, `external` for its own checkout, or `null` for none. The
 * sandbox applies only if the settings choose it, or as the local development default.
 */
export function providerName(env: { DEV_DEFAULT_PAYMENTS?: string }, settings: Settings): string | null {
  if (settings.checkout.external_url) return EXTERNAL;
  if (settings.payments !== 'none') return settings.payments;
  return env.DEV_DEFAULT_PAYMENTS === 'sandbox' ? 'sandbox' : null;
}

/** Returns `unavailable` for what only the shop can change: a retry within a minute is of no use. */
export const notConfigured = (message: string) => fail('unavailable', { message, retryAfter: 60 });

/** Creates a provider by name; `unavailable` when its keys are not configured. */
export function createProvider(name: string, tenant: PaymentTenant, secrets: Secrets): Result<Provider> {
  if (name === 'sandbox') return ok(sandbox);
  const { stripe_secret_key: secretKey, stripe_webhook_secret: webhookSecret } = secrets;
  if (name === 'stripe' && secretKey !== undefined) {
    return ok(stripeProvider({ secretKey, webhookSecret, tenant: tenant.slug }));
  }
  return notConfigured('The payment provider of the shop is not configured.');
}

/** Returns the provider of an order; null for the tenant's own checkout. */
export async function resolveProvider(
  ctx: TenantContext,
  tenant: PaymentTenant,
  name: string,
): Promise<Result<Provider | null>> {
  if (name === EXTERNAL) return ok(null);
  if (name === 'sandbox') return ok(sandbox);
  const secrets = await readCheckoutSecrets(ctx, tenant);
  return secrets.ok ? createProvider(name, tenant, secrets.value.secrets) : secrets;
}

/** A tenant's signing secret for checkout, and all its secrets. */
interface CheckoutSecrets {
  readonly checkoutSecret: string;
  readonly secrets: Secrets;
}

/** Decrypts a tenant's secrets; `unavailable` when decryption fails or the checkout secret is missing. */
export async function readCheckoutSecrets(
  { env, db }: TenantContext,
  tenant: PaymentTenant,
): Promise<Result<CheckoutSecrets>> {
  const secrets = await readSecrets(env, db, tenant);
  if (!secrets.ok) return secrets;
  const { checkout_secret: checkoutSecret } = secrets.value;
  return checkoutSecret === undefined
    ? notConfigured('The shop has no checkout secret.')
    : ok({ checkoutSecret, secrets: secrets.value });
}
