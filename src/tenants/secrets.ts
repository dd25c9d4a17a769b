import { z } from '@hono/zod-openapi';
import { eq } from 'drizzle-orm';
import { now } from '../kernel/clock.ts';
import { randomBase62, seal, unseal } from '../kernel/crypto.ts';
import type { Database } from '../kernel/database.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { tenantSecrets } from './tables.ts';

/** What is secret to a tenant. All optional: a payment provider says which it needs. */
export const Secrets = z.strictObject({
  checkout_secret: z.string().min(16).max(255).optional(),
  stripe_secret_key: z.string().min(8).max(255).optional(),
  stripe_webhook_secret: z.string().min(8).max(255).optional(),
});
export type Secrets = z.infer<typeof Secrets>;

/** The wrangler secret that overrides a tenant's stored secrets: `my-shop` → `TENANT_MY_SHOP`. */
export const overrideName = (slug: string): string => `TENANT_${slug.toUpperCase().replaceAll('-', '_')}`;

const purpose = (tenantId: number, name: string) => `tenant-secret:${tenantId}:${name}`;

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
    for (const row of rows) stored[row.name] = await unseal(env, purpose(tenant.id, row.name), row.sealed);
    // The name is made from the slug, so the binding can't be typed; the schema checks what is there.
    const override = (env as unknown as Record<string, unknown>)[overrideName(tenant.slug)];
    const parsed = typeof override === 'string' ? JSON.parse(override) : {};
    return ok(Secrets.parse({ ...stored, ...Secrets.parse(parsed) }));
  } catch {
    console.error(JSON.stringify({ event: 'tenant_secrets_broken', tenant: tenant.id }));
    return fail('unavailable');
  }
}

/** The statement that stores one secret, sealed; an older value is gone. */
export async function writeSecret(
  env: Env,
  db: Database,
  tenantId: number,
  name: keyof Secrets,
  value: string,
) {
  const sealed = await seal(env, purpose(tenantId, name), value);
  return db
    .insert(tenantSecrets)
    .values({ tenantId, name, sealed, updatedAt: now() })
    .onConflictDoUpdate({
      target: [tenantSecrets.tenantId, tenantSecrets.name],
      set: { sealed, updatedAt: now() },
    });
}

/** A fresh `checkout_secret`. */
export const newCheckoutSecret = (): string => `cs_${randomBase62(40)}`;
