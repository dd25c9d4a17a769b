import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Database } from '../../kernel/data/database.ts';
import { EXTERNAL } from '../../orders/index.ts';
import { readSecrets, type Secrets, type Settings } from '../../tenants/index.ts';
import type { Provider } from './provider.ts';
import { sandbox } from './sandbox.ts';

/** A tenant as payments need it. */
export interface CheckoutTenant {
  readonly id: number;
  readonly slug: string;
  readonly settings: Settings;
}

/**
 * Who takes a tenant's money now: `external`, a provider's name, or `null` for nobody. The sandbox is only
 * where the settings say so, or where a developer's machine says so of tenants that have nobody.
 */
export function providerName(env: { DEV_DEFAULT_PAYMENTS?: string }, settings: Settings): string | null {
  if (settings.checkout.external_url) return EXTERNAL;
  if (settings.payments !== 'none') return settings.payments;
  return env.DEV_DEFAULT_PAYMENTS === 'sandbox' ? 'sandbox' : null;
}

/** The provider of a name; `unavailable` when its keys aren't there. */
export async function providerOf(
  name: string,
  shop: { slug: string },
  secrets: Secrets,
): Promise<Result<Provider>> {
  if (name === 'sandbox') return ok(sandbox);
  const { stripe_secret_key: secretKey, stripe_webhook_secret: webhookSecret } = secrets;
  if (name === 'stripe' && secretKey !== undefined) {
    // Loaded when it is needed: most requests are none of Stripe's.
    const { stripeProvider } = await import('./stripe.ts');
    return ok(stripeProvider({ secretKey, webhookSecret, tenant: shop.slug }));
  }
  return fail('unavailable', { message: 'The shop takes no payments at the moment.' });
}

/** What a tenant's checkout works with: its secret for signatures, and its keys. */
export interface CheckoutProvider {
  readonly checkoutSecret: string;
  readonly secrets: Secrets;
}

/** Opens a tenant's secrets; `unavailable` when they are broken, or there is nothing to sign with. */
export async function resolveProvider(
  env: Env,
  db: Database,
  shop: CheckoutTenant,
): Promise<Result<CheckoutProvider>> {
  const secrets = await readSecrets(env, db, shop);
  if (!secrets.ok) return secrets;
  const { checkout_secret: checkoutSecret } = secrets.value;
  return checkoutSecret === undefined
    ? fail('unavailable', { message: 'The shop has no checkout secret.' })
    : ok({ checkoutSecret, secrets: secrets.value });
}
