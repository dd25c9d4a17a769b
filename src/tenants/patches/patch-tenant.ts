import { and, eq, not, or, sql } from 'drizzle-orm';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { assertInBatch, guardFailed, namedBatch, type Statement } from '../../kernel/data/database.ts';
import { tenantFences } from '../../kernel/data/tables.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { nextVersion } from '../clock.ts';
import { claimHosts, type HostClaim, hostsOf, misplacedUrl, settleHosts } from '../directory/hosts.ts';
import type { TenantPatch } from '../schemas.ts';
import { secretNames, stripeErrors, writeSecrets } from '../secrets.ts';
import { requireTenant } from '../store.ts';
import { type TenantRow, tenants } from '../tables.ts';
import {
  applyPatch,
  changesNothing,
  currencyFailure,
  hasProducts,
  type PatchedTenant,
} from './apply-patch.ts';

/** The most attempts of an update that conflicts with concurrent updates of the same tenant. */
const MAX_ATTEMPTS = 5;

/** An update of a tenant. */
interface TenantUpdate {
  readonly patch: TenantPatch;
  /** The prefix of error paths in settings: where the request has them. */
  readonly settingsAt: 'settings.' | '';
  /** Whether the stored tenant is the one that the caller has seen; absent for an unconditional update. */
  readonly expected?: (before: TenantRow) => boolean;
}

/**
 * Updates a tenant and its secrets in one batch, and increments the catalogue version; writes nothing if nothing
 * changes. The main currency is fixed once there is a product. Retries on concurrent updates. `precondition_failed` if
 * the stored tenant is not the `expected` one.
 */
export async function patchTenant(
  ctx: TenantContext,
  { patch, settingsAt, expected }: TenantUpdate,
): Promise<Result<TenantRow>> {
  const misplaced = misplacedUrl(ctx.env, patch.settings, settingsAt);
  if (misplaced) return misplaced;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const row = await requireTenant(ctx);
    if (expected && !expected(row)) return fail('precondition_failed');
    const fixed = await currencyFailure(ctx, patch, row);
    if (fixed) return fixed;
    const next = applyPatch(row, patch, settingsAt);
    if (!next.ok) return next;
    if (changesNothing(row, next.value, patch)) return ok(row);
    const unpayable = await paymentsFailure(ctx, patch, { slug: row.slug, ...next.value });
    if (unpayable) return unpayable;
    const written = await writeTenant(ctx, row, { patch, next: next.value });
    if (written) return written;
  }
  return fail('conflict');
}

/** Returns `validation_error` if a patch leaves a provider of payments without the secrets that it needs. */
async function paymentsFailure(
  ctx: TenantContext,
  patch: TenantPatch,
  { slug, settings: { payments } }: PatchedTenant & { readonly slug: string },
): Promise<Result<never> | null> {
  if (patch.settings?.payments === undefined && patch.secrets === undefined) return null;
  const stored = payments === 'stripe' ? await secretNames(ctx) : [];
  const errors = stripeErrors(ctx.env, { slug, payments, stored, patch: patch.secrets });
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : null;
}

/** A patch, and the columns that it updates. */
interface PatchWrite {
  readonly patch: TenantPatch;
  readonly next: PatchedTenant;
}

/** Writes a patch of this row, with the hosts that it claims. Returns null if the row has changed meanwhile. */
async function writeTenant(
  ctx: TenantContext,
  row: TenantRow,
  { patch, next }: PatchWrite,
): Promise<Result<TenantRow> | null> {
  const { env, db, tenantId } = ctx;
  const secrets = await writeSecrets(ctx, row.slug, patch.secrets ?? {});
  const hosts = patch.settings?.ucp === undefined ? null : claimOf(tenantId, next);
  const claimed = hosts && (await claimHosts(env, hosts));
  if (claimed && !claimed.ok) return claimed;
  const unchanged = and(eq(tenants.id, tenantId), eq(tenants.updatedAt, row.updatedAt));
  const fits = and(unchanged, or(eq(tenants.currency, next.currency), not(hasProducts(tenantId))));
  const holds = assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${tenants} WHERE ${fits})`);
  const opened = next.status === 'active' && row.status === 'suspended' ? [endImport(ctx)] : [];
  const updated = db
    .update(tenants)
    .set({ ...next, catalogVersion: nextVersion() })
    .where(unchanged)
    .returning();
  try {
    const written = await namedBatch(db, { updated }, [holds, ...secrets, ...opened]);
    const [after] = written.updated;
    if (!after) return null;
    if (hosts) await settleHosts(env, hosts);
    return ok(after);
  } catch (error) {
    if (!guardFailed(error)) throw error;
    return null;
  }
}

/** Returns the statement after which background work takes up a tenant that was imported. */
const endImport = ({ db, tenantId }: TenantDatabase): Statement =>
  db
    .update(tenantFences)
    .set({ state: 'live' })
    .where(and(eq(tenantFences.tenantId, tenantId), eq(tenantFences.state, 'importing')));

const claimOf = (tenantId: number, { settings, updatedAt }: PatchedTenant): HostClaim => ({
  tenantId,
  hosts: hostsOf(settings),
  at: updatedAt,
});
