import { type SQL, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { fail, type Result } from '../kernel/core/result.ts';
import { batch, directory, violation } from '../kernel/data/database.ts';
import { areDeclaredIn, FIRST_EU_TENANT_ID, type Jurisdiction } from '../kernel/data/jurisdiction.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { withPatch } from './apply-patch.ts';
import { hostTaken, misplacedUrl, writeHosts } from './hosts.ts';
import { includesUcp } from './plans.ts';
import { DEFAULT_SETTINGS, type Settings, settingsErrors, type TenantCreate } from './schemas.ts';
import { newCheckoutSecret, stripeErrors, writeSecrets } from './secrets.ts';
import { tenantBySlug } from './store.ts';
import { type TenantRow, tenants } from './tables.ts';

/**
 * Creates a tenant with its own `checkout_secret`; `slug_taken` if the slug is in use. A retry of a committed
 * call returns the same tenant.
 */
export async function createTenant(
  env: Env,
  input: TenantCreate,
  once: IdempotencyScope,
): Promise<Result<TenantRow>> {
  const db = directory(env);
  if (once.ref !== null) return tenantBySlug(db, once.ref);
  const { jurisdiction = null, ...values } = input;
  const { slug } = input;
  const currencies = [...new Set([input.currency, ...(input.currencies ?? [])])];
  const settings = withPatch(DEFAULT_SETTINGS, input.settings);
  if (settings.ucp?.enabled && !includesUcp(input.plan)) return fail('plan_not_allowed');
  const errors = {
    ...creationErrors(env, { slug, jurisdiction, payments: settings.payments }),
    ...settingsErrors({ settings, currency: input.currency, currencies }, 'settings.'),
  };
  if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
  const misplaced = misplacedUrl(env, input.settings, 'settings.');
  if (misplaced) return misplaced;
  const at = now();
  const secrets = await writeSecrets(env, input.slug, { checkout_secret: newCheckoutSecret() });
  const insert = db.insert(tenants).values({
    ...{ ...values, id: nextTenantId(jurisdiction), currencies, settings },
    ...{ catalogVersion: at, createdAt: at, updatedAt: at },
  });
  try {
    // The secrets' statements find the tenant that the first one inserts.
    const hosts = writeHosts(db, slug, input.settings);
    await batch(db, [insert, ...hosts, ...secrets, ...once.mark(input.slug)]);
    return tenantBySlug(db, input.slug);
  } catch (error) {
    const taken = hostTaken(error);
    if (taken) return taken;
    if (violation(error)?.kind === 'unique') return fail('slug_taken');
    throw error;
  }
}

/** The fields of a new tenant that depend on the deployment. */
interface Offered extends Pick<Settings, 'payments'> {
  readonly slug: string;
  readonly jurisdiction: Jurisdiction | null;
}

/** Returns why this deployment can't have such a tenant, by field; empty if it can. */
function creationErrors(env: Env, { slug, jurisdiction, payments }: Offered): Record<string, string[]> {
  const isRefused = Object.keys(stripeErrors(env, { slug, payments, stored: [] })).length > 0;
  return {
    ...(isRefused && { 'settings.payments': ['can be stripe only once the tenant has its Stripe secrets'] }),
    ...(!isAvailable(env, jurisdiction) && { jurisdiction: ['is not available in this deployment'] }),
  };
}

/** The bindings that hold a tenant's rows and images. */
const TENANT_BINDINGS = ['DB', 'SEARCH_DB', 'MEDIA'] as const;

/** Returns whether this deployment keeps tenants of a jurisdiction in databases and a bucket that are there. */
export const isAvailable = (env: Env, jurisdiction: Jurisdiction | null): boolean =>
  areDeclaredIn(env, jurisdiction, TENANT_BINDINGS);

/** Returns the expression of the next tenant id in a jurisdiction. Tenants are never deleted, so no id comes twice. */
function nextTenantId(jurisdiction: Jurisdiction | null): SQL<number> {
  const [first, isOwn] =
    jurisdiction === null
      ? [1, sql`id < ${FIRST_EU_TENANT_ID}`]
      : [FIRST_EU_TENANT_ID, sql`id >= ${FIRST_EU_TENANT_ID}`];
  return sql`(SELECT coalesce(max(id) + 1, ${first}) FROM tenants WHERE ${isOwn})`;
}
