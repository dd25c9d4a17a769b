import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import type { Database } from '../../kernel/data/database.ts';
import { DEFAULT_COLORS, readTheme } from '../../theme/index.ts';
import type { Branding } from './layout.tsx';

/** The branding of pages that belong to no shop. The nonce is fixed because these pages show no input. */
export const DEFAULT_BRANDING: Branding = {
  shop: 'Checkout',
  theme: { tenant: '', colors: DEFAULT_COLORS, homepage_sections: [] },
  nonce: 'checkout',
};

/** Returns a tenant's branding with a fresh CSP nonce. */
export async function brandingOf(
  db: Database,
  { id, name }: { id: number; name: string },
): Promise<Branding> {
  const { options } = await readTheme({ db, tenantId: id });
  return { shop: name, theme: options, nonce: randomBase62(22) };
}
