import { type SQL, sql } from 'drizzle-orm';
import { now } from '../../kernel/core/clock.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { includesUcp } from '../plans.ts';
import { type Settings, type SettingsPatch, settingsErrors, type TenantPatch } from '../schemas.ts';
import type { TenantRow } from '../tables.ts';

/** The columns of a tenant that a patch updates. */
export interface PatchedTenant
  extends Pick<
    TenantRow,
    'name' | 'plan' | 'status' | 'currency' | 'currencies' | 'settings' | 'updatedAt'
  > {}

/** Returns the columns to update for a patch, or its validation errors. */
export function applyPatch(row: TenantRow, patch: TenantPatch, at: string): Result<PatchedTenant> {
  const currency = patch.currency ?? row.currency;
  const currencies = [...new Set([currency, ...(patch.currencies ?? row.currencies)])];
  const settings = withPatch(row.settings, patch.settings);
  const plan = patch.plan ?? row.plan;
  if (patch.settings?.ucp?.enabled && !includesUcp(plan)) return fail('plan_not_allowed');
  const errors = settingsErrors({ settings, currency, currencies }, at);
  if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
  return ok({
    name: patch.name ?? row.name,
    plan,
    status: patch.status ?? row.status,
    currency,
    currencies,
    settings,
    // Increases with every update, so that an update based on an older row is detected.
    updatedAt: Math.max(now(), row.updatedAt + 1),
  });
}

const settable = ({ name, plan, status, currency, currencies, settings }: PatchedTenant): string =>
  canonicalJson({ name, plan, status, currency, currencies, settings });

/**
 * Returns whether a patch leaves a tenant as it is. False for secrets, which are compared by nobody, and for `ucp`,
 * whose hosts are claimed again.
 */
export const changesNothing = (row: TenantRow, next: PatchedTenant, patch: TenantPatch): boolean =>
  patch.secrets === undefined && patch.settings?.ucp === undefined && settable(row) === settable(next);

/** Returns the condition that a tenant has products, or had some that its feed still lists as deleted. */
export const hasProducts = (tenantId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM products WHERE tenant_id = ${tenantId})`;

/** Returns `validation_error` if a patch changes the main currency although there is a product. */
export async function currencyFailure(
  { db, tenantId }: TenantDatabase,
  { currency }: TenantPatch,
  row: TenantRow,
): Promise<Result<never> | null> {
  if (currency === undefined || currency === row.currency) return null;
  const [found] = await rows<{ has: 0 | 1 }>(db, sql`SELECT ${hasProducts(tenantId)} AS has`);
  return found?.has ? invalid('currency', 'must not change once there is a product') : null;
}

/** Returns settings with a patch applied: parts are replaced as a whole, `checkout` field by field. */
export function withPatch(settings: Settings, { checkout, ...parts }: SettingsPatch = {}): Settings {
  return {
    ...settings,
    ...defined(parts),
    checkout: { ...settings.checkout, ...defined(checkout ?? {}) },
  };
}

/** Removes undefined properties, so that spreading the result keeps existing values. */
const defined = <Patch extends object>(patch: Patch) =>
  // exactOptionalPropertyTypes: no value is undefined after the filter.
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Patch]?: Exclude<Patch[Name], undefined>;
  };
