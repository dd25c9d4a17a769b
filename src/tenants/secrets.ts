import { and, eq } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { log } from '../kernel/core/log.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { randomBase62, seal, unseal } from '../kernel/crypto/crypto.ts';
import type { Database, Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { Secrets, type SecretsPatch, type Settings } from './schemas.ts';
import { tenantSecrets } from './tables.ts';

/**
 * Returns the name of the wrangler secret that overrides a tenant's secrets: `my-shop` → `TENANT_MY_SHOP`.
 */
export const overrideName = (slug: string): string => `TENANT_${slug.toUpperCase().replaceAll('-', '_')}`;

/** Encryption purpose: tenant and name, so that a value copied to another row can't be decrypted. */
const purpose = (slug: string, name: string) => `tenant-secret:${slug}:${name}`;

/**
 * Returns the tenant's stored secrets, overridden by the wrangler secret. `unavailable` if the override is
 * invalid or a value can't be decrypted; logged without the content.
 */
export async function readSecrets(
  env: Env,
  db: Database,
  tenant: { readonly id: number; readonly slug: string },
): Promise<Result<Secrets>> {
  const rows = await db.select().from(tenantSecrets).where(eq(tenantSecrets.tenantId, tenant.id));
  try {
    const stored: Record<string, unknown> = {};
    for (const row of rows) stored[row.name] = await unseal(env, purpose(tenant.slug, row.name), row.sealed);
    return ok(Secrets.parse({ ...stored, ...overriding(env, tenant.slug) }));
  } catch {
    log('tenant_secrets_broken', { tenant: tenant.id });
    return fail('unavailable', { retryAfter: 60 });
  }
}

/** Returns the names of a tenant's stored secrets. A wrangler secret may override their values. */
export async function secretNames({ db, tenantId }: TenantDatabase): Promise<string[]> {
  const rows = await db
    .select({ name: tenantSecrets.name })
    .from(tenantSecrets)
    .where(eq(tenantSecrets.tenantId, tenantId));
  return rows.map(({ name }) => name);
}

/** The secrets without which Stripe can neither be called nor call back. */
const STRIPE_SECRETS = ['stripe_secret_key', 'stripe_webhook_secret'] as const;

/** What decides whether a tenant can take payments through Stripe. */
interface StripeReadiness {
  readonly slug: string;
  readonly payments: Settings['payments'];
  /** The names of the stored secrets. */
  readonly stored: readonly string[];
  readonly patch?: SecretsPatch | undefined;
}

/**
 * Returns field errors for the Stripe secrets that a tenant with Stripe payments lacks after `patch`. Without the key
 * every checkout fails; without the webhook secret orders become paid only when Stripe is polled.
 */
export function stripeErrors(
  env: Env,
  { slug, payments, stored, patch = {} }: StripeReadiness,
): Record<string, string[]> {
  if (payments !== 'stripe') return {};
  const overridden = overrideOrNone(env, slug);
  const has = (name: keyof Secrets) =>
    overridden[name] !== undefined ||
    (patch[name] === undefined ? stored.includes(name) : patch[name] !== null);
  const missing = STRIPE_SECRETS.filter((name) => !has(name));
  return Object.fromEntries(
    missing.map((name) => [`secrets.${name}`, ['is required while payments is stripe']]),
  );
}

/** Returns {@link overriding}, or nothing if it is invalid; {@link readSecrets} reports that on use. */
function overrideOrNone(env: object, slug: string): Secrets {
  try {
    return overriding(env, slug);
  } catch {
    return {};
  }
}

/** Parses the wrangler secret. Throws if it is invalid JSON or doesn't match the schema. */
function overriding(env: object, slug: string): Secrets {
  // The binding's name is dynamic, so it can't be typed; the schema checks its value.
  const override = (env as Record<string, unknown>)[overrideName(slug)];
  if (override === undefined) return {};
  return Secrets.parse(typeof override === 'string' ? JSON.parse(override) : override);
}

/** Returns statements that store a patch's secrets encrypted, under the tenant's slug, and delete those set to null. */
export async function writeSecrets(
  { env, db, tenantId }: TenantDatabase & { readonly env: Env },
  slug: string,
  patch: SecretsPatch,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) {
      statements.push(
        db
          .delete(tenantSecrets)
          .where(and(eq(tenantSecrets.tenantId, tenantId), eq(tenantSecrets.name, name))),
      );
      continue;
    }
    const set = { sealed: await seal(env, purpose(slug, name), value), updatedAt: now() };
    statements.push(
      db
        .insert(tenantSecrets)
        .values({ tenantId, name, ...set })
        .onConflictDoUpdate({ target: [tenantSecrets.tenantId, tenantSecrets.name], set }),
    );
  }
  return statements;
}

/** Returns a random `checkout_secret`. */
export const newCheckoutSecret = (): string => `cs_${randomBase62(40)}`;
