import { and, asc, count, eq, gt, isNotNull, lt, lte, or, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { offset, type Page } from '../kernel/core/pagination.ts';
import { fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import { assertInBatch, type Database, guardFailed, violation } from '../kernel/data/database.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { nextVersion } from './clock.ts';
import {
  DEFAULT_SETTINGS,
  type Settings,
  type SettingsPatch,
  settingsErrors,
  type TenantCreate,
  type TenantPatch,
} from './schemas.ts';
import { newCheckoutSecret, stripeErrors, writeSecrets } from './secrets.ts';
import { type TenantRow, tenants } from './tables.ts';

/** What a lease needs to know of a tenant. */
export type TenantState = Pick<
  TenantRow,
  'id' | 'slug' | 'status' | 'plan' | 'currency' | 'currencies' | 'catalogVersion'
>;

/** Reads what a lease needs to know, in one round trip; `null` when there is no such tenant. */
export async function readState(db: Database, tenantId: number): Promise<TenantState | null> {
  const [row] = await db
    .select({
      id: tenants.id,
      slug: tenants.slug,
      status: tenants.status,
      plan: tenants.plan,
      currency: tenants.currency,
      currencies: tenants.currencies,
      catalogVersion: tenants.catalogVersion,
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row ?? null;
}

/** The tenant with this id. */
export async function tenantById(db: Database, tenantId: number): Promise<TenantRow> {
  const [row] = await db.select().from(tenants).where(eq(tenants.id, tenantId));
  if (!row) throw new Error(`Tenant ${tenantId} is gone`);
  return row;
}

/** The tenant with this slug, or `tenant_not_found`. */
export async function tenantBySlug(db: Database, slug: string): Promise<Result<TenantRow>> {
  const [row] = await db.select().from(tenants).where(eq(tenants.slug, slug));
  return row ? ok(row) : fail('tenant_not_found');
}

/** A page of all tenants by slug, and how many there are. */
export async function listTenants(db: Database, page: Page): Promise<{ rows: TenantRow[]; total: number }> {
  const [rows, [counted]] = await db.batch([
    db.select().from(tenants).orderBy(asc(tenants.slug)).limit(page.limit).offset(offset(page)),
    db.select({ total: count() }).from(tenants),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/**
 * Makes a tenant with a `checkout_secret` of its own; `slug_taken` when there is one of that slug.
 * A repeat of a call that was made answers the tenant that it made.
 */
export async function createTenant(
  env: Env,
  db: Database,
  input: TenantCreate,
  once: IdempotencyScope,
): Promise<Result<TenantRow>> {
  if (once.ref !== null) return tenantBySlug(db, once.ref);
  const currencies = [...new Set([input.currency, ...(input.currencies ?? [])])];
  const settings = withPatch(DEFAULT_SETTINGS, input.settings);
  const errors = settingsErrors(settings, input.currency, currencies, 'settings.');
  if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
  const at = now();
  const secrets = await writeSecrets(env, db, input.slug, { checkout_secret: newCheckoutSecret() });
  const insert = db
    .insert(tenants)
    .values({ ...input, currencies, settings, catalogVersion: at, createdAt: at, updatedAt: at })
    .returning();
  try {
    const [[row]] = await db.batch([insert, ...secrets, ...once.mark(input.slug)]);
    if (!row) throw new Error('An insert returned no tenant');
    return ok(row);
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('slug_taken');
    throw error;
  }
}

/** How often a change is tried again when somebody else changed the same tenant meanwhile. */
const TRIES = 5;

/**
 * Changes a tenant and its secrets, in one batch. Its main currency is fixed once it has a product; the
 * clock tells. Moves the catalogue version: prices may show in other currencies now. Changes at the same
 * moment are made one after the other; 412 where the tenant is not as `expected`. Fields of errors in settings are
 * named below `at`.
 */
export async function patchTenant(
  env: Env,
  db: Database,
  tenantId: number,
  patch: TenantPatch,
  at = 'settings.',
  expected: (before: TenantRow) => boolean = () => true,
): Promise<Result<TenantRow>> {
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await tenantById(db, tenantId);
    if (!expected(row)) return fail('precondition_failed');
    const next = changed(row, patch, at);
    if (!next.ok) return next;
    if (patch.settings?.payments !== undefined || patch.secrets !== undefined) {
      const errors = await stripeErrors(env, db, row, next.value.settings.payments, patch.secrets ?? {});
      if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
    }
    const secrets = await writeSecrets(env, db, row.slug, patch.secrets ?? {});
    const unchanged = and(eq(tenants.id, tenantId), eq(tenants.updatedAt, row.updatedAt));
    const fits = and(unchanged, or(eq(tenants.currency, next.value.currency), eq(tenants.clock, 0)));
    const update = db
      .update(tenants)
      .set({ ...next.value, catalogVersion: nextVersion() })
      .where(unchanged)
      .returning();
    try {
      const holds = assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${tenants} WHERE ${fits})`);
      const [, [after]] = await db.batch([holds, update, ...secrets]);
      if (after) return ok(after);
    } catch (error) {
      if (!guardFailed(error)) throw error;
    }
  }
  return fail('conflict');
}

/** What a patch makes of a tenant, or why it can't be. */
function changed(
  row: TenantRow,
  patch: TenantPatch,
  at: string,
): Result<Partial<TenantRow> & Pick<TenantRow, 'currency' | 'settings'>> {
  const currency = patch.currency ?? row.currency;
  if (currency !== row.currency && row.clock > 0) {
    return invalid('currency', 'is fixed once there is a product');
  }
  const currencies = [...new Set([currency, ...(patch.currencies ?? row.currencies)])];
  const settings = withPatch(row.settings, patch.settings);
  const errors = settingsErrors(settings, currency, currencies, at);
  if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
  return ok({
    name: patch.name ?? row.name,
    plan: patch.plan ?? row.plan,
    status: patch.status ?? row.status,
    currency,
    currencies,
    settings,
    // Rises with every change, so that a change that read an older row is noticed.
    updatedAt: Math.max(now(), row.updatedAt + 1),
  });
}

/** Settings with what a patch names in them: whole parts, but of `checkout` single fields. */
function withPatch(settings: Settings, { checkout, ...parts }: SettingsPatch = {}): Settings {
  return {
    ...settings,
    ...named(parts),
    checkout: { ...settings.checkout, ...named(checkout ?? {}) },
  };
}

/** What of a patch was named; what is absent keeps what is there. */
const named = <Patch extends object>(patch: Patch) =>
  // exactOptionalPropertyTypes: what is filtered here has no undefined left.
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Patch]?: Exclude<Patch[Name], undefined>;
  };

/** Moves the catalogue version if stock has moved since; answers the version that is current then. */
export async function publishStockChanges(db: Database, tenantId: number): Promise<number> {
  const [, rows] = await db.batch([
    db
      .update(tenants)
      .set({ catalogVersion: nextVersion(), stockMovedAt: null })
      .where(and(eq(tenants.id, tenantId), isNotNull(tenants.stockMovedAt))),
    db.select({ version: tenants.catalogVersion }).from(tenants).where(eq(tenants.id, tenantId)),
  ]);
  return rows[0]?.version ?? 0;
}

/** Moves the catalogue version past `known`, unless it is there already; returns what it is then. */
export async function movePast(db: Database, tenantId: number, known: number): Promise<number> {
  const [, rows] = await db.batch([
    db
      .update(tenants)
      .set({ catalogVersion: sql`max(${known + 1}, ${nextVersion()})` })
      .where(and(eq(tenants.id, tenantId), lte(tenants.catalogVersion, known))),
    db.select({ version: tenants.catalogVersion }).from(tenants).where(eq(tenants.id, tenantId)),
  ]);
  return rows[0]?.version ?? 0;
}

/** Tenants whose stock moved a while ago without the catalogue version following: a crash left them. */
export const tenantsWithUnpublishedStock = (db: Database, before: number, after: number, limit: number) =>
  db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(lt(tenants.stockMovedAt, before), gt(tenants.id, after)))
    .orderBy(asc(tenants.id))
    .limit(limit);
