import { and, eq, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { randomBase62, seal, unseal } from '../kernel/crypto/crypto.ts';
import type { Database, Statement } from '../kernel/data/database.ts';
import { Secrets, type SecretsPatch, type Settings } from './schemas.ts';
import { tenantSecrets, tenants } from './tables.ts';

/** The wrangler secret that overrides a tenant's stored secrets: `my-shop` → `TENANT_MY_SHOP`. */
export const overrideName = (slug: string): string => `TENANT_${slug.toUpperCase().replaceAll('-', '_')}`;

/** Each secret is sealed for its tenant and name: a row that was moved to another can't be opened. */
const purpose = (slug: string, name: string) => `tenant-secret:${slug}:${name}`;

/**
 * The tenant's secrets: stored ones, overridden by the wrangler secret. A broken override or a sealed
 * value that can't be opened is `unavailable` for this tenant alone, and is logged without its content.
 */
export async function readSecrets(
  env: Env,
  db: Database,
  tenant: { id: number; slug: string },
): Promise<Result<Secrets>> {
  const rows = await db.select().from(tenantSecrets).where(eq(tenantSecrets.tenantId, tenant.id));
  try {
    const stored: Record<string, unknown> = {};
    for (const row of rows) stored[row.name] = await unseal(env, purpose(tenant.slug, row.name), row.sealed);
    return ok(Secrets.parse({ ...stored, ...overriding(env, tenant.slug) }));
  } catch {
    console.error(JSON.stringify({ event: 'tenant_secrets_broken', tenant: tenant.id }));
    return fail('unavailable');
  }
}

/** Which secrets are stored for a tenant: their names alone. A wrangler secret may override them. */
export async function secretNames(db: Database, tenantId: number): Promise<string[]> {
  const rows = await db
    .select({ name: tenantSecrets.name })
    .from(tenantSecrets)
    .where(eq(tenantSecrets.tenantId, tenantId));
  return rows.map(({ name }) => name);
}

/**
 * The field errors of a tenant that sells through Stripe with a key alone after `patch`: without the webhook
 * secret every callback would be refused, and orders would only be paid when somebody asks Stripe.
 */
export async function stripeErrors(
  env: object,
  db: Database,
  tenant: { id: number; slug: string },
  payments: Settings['payments'],
  patch: SecretsPatch,
): Promise<Record<string, string[]>> {
  if (payments !== 'stripe') return {};
  const stored = await secretNames(db, tenant.id);
  const overridden = overrideOrNone(env, tenant.slug);
  const has = (name: keyof Secrets) =>
    overridden[name] !== undefined ||
    (patch[name] === undefined ? stored.includes(name) : patch[name] !== null);
  return has('stripe_secret_key') && !has('stripe_webhook_secret')
    ? { 'secrets.stripe_webhook_secret': ['is required with stripe_secret_key while payments is stripe'] }
    : {};
}

/** The same as {@link overriding}; nothing where it is broken, which is said when the secrets are used. */
function overrideOrNone(env: object, slug: string): Secrets {
  try {
    return overriding(env, slug);
  } catch {
    return {};
  }
}

/** What the wrangler secret says. Throws where it is no JSON or not what the schema takes. */
function overriding(env: object, slug: string): Secrets {
  // The name is made from the slug, so the binding can't be typed; the schema checks what is there.
  const override = (env as Record<string, unknown>)[overrideName(slug)];
  if (override === undefined) return {};
  return Secrets.parse(typeof override === 'string' ? JSON.parse(override) : override);
}

/**
 * The statements that store what a patch names, sealed, and remove what it sets to null. They find the
 * tenant by its slug, so they may stand in the batch that makes it.
 */
export async function writeSecrets(
  env: Env,
  db: Database,
  slug: string,
  patch: SecretsPatch,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const owner = db.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, slug));
    const tenantId = sql`(${owner})`;
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

/** A fresh `checkout_secret`. */
export const newCheckoutSecret = (): string => `cs_${randomBase62(40)}`;
