import { iso } from '../kernel/core/clock.ts';
import { jurisdictionOf } from '../kernel/data/jurisdiction.ts';
import type { TenantRow } from './tables.ts';

/** Returns the API representation of a tenant. */
export const presentTenant = (row: TenantRow) => ({
  slug: row.slug,
  name: row.name,
  currency: row.currency,
  currencies: row.currencies,
  plan: row.plan,
  status: row.status,
  jurisdiction: jurisdictionOf(row.id),
  settings: row.settings,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
