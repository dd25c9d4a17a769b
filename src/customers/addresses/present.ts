import { iso } from '../../kernel/core/clock.ts';
import type { CustomerAddress } from './schemas.ts';
import type { AddressRow } from './tables.ts';

/** Returns the API representation of an address. */
export const presentAddress = (row: AddressRow): CustomerAddress => ({
  id: row.id,
  ...(row.label === null ? {} : { label: row.label }),
  is_default: row.isDefault,
  ...row.address,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
