import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import type { Database } from '../../kernel/data/database.ts';
import { DEFAULT_COLORS, readTheme } from '../../theme/index.ts';
import type { Branding } from './layout.tsx';

/** The look of a page that belongs to no shop. Its nonce guards nothing: no input reaches the page. */
export const DEFAULT_BRANDING: Branding = {
  shop: 'Checkout',
  theme: { tenant: '', colors: DEFAULT_COLORS, homepage_sections: [] },
  nonce: 'checkout',
};

/** A tenant's look. */
export async function brandingOf(
  db: Database,
  { id, name }: { id: number; name: string },
): Promise<Branding> {
  const { options } = await readTheme(db, id);
  return { shop: name, theme: options, nonce: randomBase62(22) };
}
