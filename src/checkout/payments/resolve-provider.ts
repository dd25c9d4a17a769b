import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Database } from '../../kernel/data/database.ts';
import { EXTERNAL } from '../../orders/index.ts';
import { readSecrets, type Secrets, type Settings } from '../../tenants/index.ts';
import type { Provider } from './provider.ts';
import { sandbox } from './sandbox.ts';

/** The tenant fields that payments need. */
export interface CheckoutTenant {
  readonly id: number;
  readonly slug: string;
  readonly settings: Settings;
}

/**
 * Returns the name of a tenant's payment provider, `external` for its own checkout, or `null` for none. The
 * sandbox applies only if the settings choose it, or as the local development default.
 */
export function providerName(env: { DEV_DEFAULT_PAYMENTS?: string }, settings: Settings): string | null {
  if (settings.checkout.external_url) return EXTERNAL;
  if (settings.payments !== 'none') return settings.payments;
  return env.DEV_DEFAULT_PAYMENTS === 'sandbox' ? 'sandbox' : null;
}

/** Creates a provider by name; `unavailable` when its keys are not configured. */
export async function createProvider(
  name: string,
  tenant: { slug: string },
  secrets: Secrets,
): Promise<Result<Provider>> {
  if (name === 'sandbox') return ok(sandbox);
  const { stripe_secret_key: secretKey, stripe_webhook_secret: webhookSecret } = secrets;
  if (name === 'stripe' && secretKey !== undefined) {
    // Loaded on demand: most requests do not use the Stripe SDK.
    const { stripeProvider } = await import('./stripe.ts');
    return ok(stripeProvider({ secretKey, webhookSecret, tenant: tenant.slug }));
  }
  return fail('unavailable', { message: 'The payment provider of the shop is not configured.' });
}

/** A tenant's signing secret for checkout, and its other secrets. */
export interface CheckoutSecrets {
  readonly checkoutSecret: string;
  readonly secrets: Secrets;
}

/** Decrypts a tenant's secrets; `unavailable` when decryption fails or the checkout secret is missing. */
export async function readCheckoutSecrets(
  env: Env,
  db: Database,
  tenant: CheckoutTenant,
): Promise<Result<CheckoutSecrets>> {
  const secrets = await readSecrets(env, db, tenant);
  if (!secrets.ok) return secrets;
  const { checkout_secret: checkoutSecret } = secrets.value;
  return checkoutSecret === undefined
    ? fail('unavailable', { message: 'The shop has no checkout secret.' })
    : ok({ checkoutSecret, secrets: secrets.value });
}
