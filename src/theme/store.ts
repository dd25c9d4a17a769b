import { eq, sql } from 'drizzle-orm';
import { commit } from '../events/index.ts';
import { now } from '../kernel/core/clock.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import { tenants } from '../tenants/index.ts';
import { DEFAULT_COLORS, type ThemeOptions, type ThemePatch, type ThemeSet } from './schemas.ts';
import { themes } from './tables.ts';

type Row = { slug: string; name: string; version: number; options: ThemeSet | null };

const select = ({ db, tenantId }: TenantDatabase) =>
  db
    .select({
      slug: tenants.slug,
      name: tenants.name,
      version: tenants.catalogVersion,
      options: themes.options,
    })
    .from(tenants)
    .leftJoin(themes, eq(themes.tenantId, tenants.id))
    .where(eq(tenants.id, tenantId));

function present({ slug, name, options }: Row): ThemeOptions {
  const { colors, homepage_sections = ['hero', 'featured', 'categories'], ...rest } = options ?? {};
  const set = Object.entries(colors ?? {}).filter(([, color]) => color !== undefined);
  return {
    tenant: slug,
    shop_name: name,
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

/** Applies a JSON merge patch (RFC 7396) and increments the catalogue version. */
export async function patchTheme(ctx: TenantContext, patch: ThemePatch) {
  const { db, tenantId } = ctx;
  const updatedAt = now();
  const merged = (options: unknown) => sql`json_patch(${options}, ${JSON.stringify(patch)})`;
  const { version, read } = await commit(ctx, {
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
