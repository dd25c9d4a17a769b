import { env } from 'cloudflare:workers';
import { Browser } from '../../support/fixtures/browser.ts';
import type { World } from '../../support/world.ts';

/** The id of a person of the tenant. */
export async function idOf({ slug }: World, email: string): Promise<number> {
  const query =
    'SELECT id FROM panel_users WHERE email = ? AND tenant_id = (SELECT tenant_id FROM placements WHERE slug = ?)';
  const row = await env.DB.prepare(query).bind(email, slug).first<{ id: number }>();
  return row?.id ?? 0;
}

/** The headers of a network that has not guessed yet. */
const elsewhere = () => ({ 'cf-connecting-ip': `2001:db8:${crypto.randomUUID().slice(0, 4)}:1::1` });

export async function signIn(shop: World, email: string, password: string, agent = 'x'): Promise<Browser> {
  const browser = new Browser();
  await browser.get('/developer/sign-in');
  const fields = { shop: shop.slug, email, password };
  await browser.post('/developer/sign-in', fields, { 'user-agent': agent, ...elsewhere() });
  return browser;
}
