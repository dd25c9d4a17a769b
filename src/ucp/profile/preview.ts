import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { listKeys } from '../keys/signing-keys.ts';
import { businessProfile } from './business-profile.ts';

/** Returns the profile that agents get of a tenant, for the panel. One statement; makes no key. */
export async function previewProfile(ctx: TenantDatabase, slug: string, origin: string): Promise<object> {
  const keys = await listKeys(ctx);
  return businessProfile(
    { slug },
    origin,
    keys.map(({ publicKey }) => publicKey),
  );
}
