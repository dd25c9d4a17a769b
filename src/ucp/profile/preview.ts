import type { KeyRow } from '../keys/tables.ts';
import { businessProfile } from './business-profile.ts';

/** Returns the profile that agents get of a tenant with these keys, for the panel. */
export const previewProfile = (slug: string, origin: string, keys: readonly KeyRow[]): object =>
  businessProfile(
    { slug },
    origin,
    keys.map(({ publicKey }) => publicKey),
  );
