import { eq, type SQL, sql } from 'drizzle-orm';
import { commit } from '../events/index.ts';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { assertInBatch, guardFailed, type Statement } from '../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import { deliveryCountries, type ShippingSettings } from '../shipping/index.ts';
import { type Settings, tenants } from '../tenants/index.ts';
import { DEFAULT_COLORS, type ThemeOptions, type ThemePatch, type ThemeSet } from './schemas.ts';
import { themes } from './tables.ts';

interface Row {
  readonly slug: string;
  readonly name: string;
  readonly currency: string;
  readonly currencies: string[];
  readonly tax: Settings['tax'];
  readonly shipping: ShippingSettings;
  readonly options: ThemeSet | null;
}

/** Selects a tenant's theme, and whether a patch would leave its options as they are. */
const select = ({ db, tenantId }: TenantDatabase, patch: ThemePatch = {}) =>
  db
    .select({
      slug: tenants.slug,
      name: tenants.name,
      currency: tenants.currency,
      currencies: tenants.currencies,
      // Written by the routes of settings, with these types.
      tax: sql`${tenants.settings} -> '$.tax'`.mapWith((json): Settings['tax'] => JSON.parse(json)),
      shipping: sql`${tenants.settings} -> '$.shipping'`.mapWith(
        (json): ShippingSettings => JSON.parse(json),
      ),
      version: tenants.catalogVersion,
      options: themes.options,
      stored: sql<string | null>`${themes.options}`,
      isSame: sql<0 | 1>`json_patch(coalesce(${themes.options}, '{}'), ${JSON.stringify(patch)})
        = coalesce(${themes.options}, '{}')`,
    })
    .from(tenants)
    .leftJoin(themes, eq(themes.tenantId, tenants.id))
    .where(eq(tenants.id, tenantId));

function present({ slug, name, currency, currencies, tax, shipping, options }: Row): ThemeOptions {
  const { mode, shipping_taxed: _, ...tax_rates } = tax;
  const { colors, homepage_sections = ['hero', 'featured', 'categories'], ...rest } = options ?? {};
  const set = Object.entries(colors ?? {}).filter(([, color]) => color !== undefined);
  return {
    tenant: slug,
    shop_name: name,
    currency,
    currencies,
    tax_included: mode === 'inclusive',
    tax_rates,
    shipping_countries: deliveryCountries(shipping),
    colors: { ...DEFAULT_COLORS, ...Object.fromEntries(set) },
    homepage_sections,
    ...rest,
  };
}

/** Reads the tenant's theme options and the catalogue version they were read at. */
export async function readTheme(ctx: TenantDatabase) {
  const [row] = await select(ctx);
  if (!row) throw new Error(`Tenant ${ctx.tenantId} is gone`);
  return { version: row.version, options: present(row) };
}

/** The theme after a change, and the catalogue version that it is in. */
interface ChangedTheme {
  readonly version: number;
  readonly options: ThemeOptions;
}

/** The most attempts of a change under concurrent changes. */
const MAX_ATTEMPTS = 5;

/**
 * Applies a JSON merge patch (RFC 7396) and increments the catalogue version; writes nothing if nothing changes. If
 * `expected` is given, the stored theme must satisfy it (`precondition_failed`); `conflict` if concurrent changes
 * overtake each attempt.
 */
export async function patchTheme(
  ctx: TenantContext,
  patch: ThemePatch,
  expected: ((before: ThemeOptions) => boolean) | null,
): Promise<Result<ChangedTheme>> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const [row] = await select(ctx, patch);
    if (!row || (expected && !expected(present(row)))) return fail('precondition_failed');
    if (row.isSame) return ok({ version: row.version, options: present(row) });
    if (!expected) return ok(await write(ctx, patch, []));
    const same = sql`(SELECT ${themes.options} FROM ${themes} WHERE ${themes.tenantId} = ${ctx.tenantId}) IS ${row.stored}`;
    try {
      return ok(await write(ctx, patch, [assertInBatch(ctx.db, same)]));
    } catch (error) {
      if (!guardFailed(error)) throw error;
    }
  }
  return fail('conflict');
}

async function write(
  ctx: TenantContext,
  patch: ThemePatch,
  guards: readonly Statement[],
): Promise<ChangedTheme> {
  const { db, tenantId } = ctx;
  const updatedAt = now();
  const merged = (options: unknown) => sql`json_patch(${options}, ${JSON.stringify(patch)})`;
  const { version, read } = await commit(ctx, {
    guards,
    statements: [
      db
        .insert(themes)
        .values({ tenantId, options: merged('{}'), updatedAt })
        .onConflictDoUpdate({ target: themes.tenantId, set: { options: merged(themes.options), updatedAt } }),
    ],
    catalogChanged: true,
    reads: { theme: select(ctx) },
  });
  const [row] = read.theme;
  if (!row) throw new Error(`Tenant ${tenantId} is gone`);
  return { version, options: present(row) };
}

/** Returns the query for the tenant's `id` if its theme shows the uploaded image with a hash (SQL). */
export const themeShowing = (tenantId: number, hash: SQL): SQL =>
  sql`SELECT tenant_id AS id FROM ${themes} WHERE tenant_id = ${tenantId} AND instr(options, ${hash}) > 0`;
