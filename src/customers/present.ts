import { iso } from '../kernel/core/clock.ts';
import type { Customer, CustomerRecord } from './schemas.ts';
import type { CustomerRow } from './tables.ts';

/** Returns the API representation of a customer. */
export const presentCustomer = (row: CustomerRow): Customer => ({
  id: row.id,
  name: row.name,
  email: row.email,
  ...(row.phone === null ? {} : { phone: row.phone }),
  created_at: iso(row.createdAt),
});

/** Returns a customer as the tenant's servers see it. */
export const presentRecord = (row: CustomerRow): CustomerRecord => ({
  ...presentCustomer(row),
  metadata: row.metadata,
  updated_at: iso(row.updatedAt),
});
