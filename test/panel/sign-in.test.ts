import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { Browser } from '../support/fixtures/browser.ts';
import { world } from '../support/world.ts';

/** How many of 30 sign-ins, each from another address, are tried. */
async function tried(
  path: '/admin/sign-in' | '/developer/sign-in',
  fields: Record<string, string>,
  address: (n: number) => string,
): Promise<number> {
  let count = 0;
  for (let n = 0; n < 30; n++) {
    const browser = new Browser();
    await browser.get(path);
    const { status } = await browser.post(path, fields, { 'cf-connecting-ip': address(n) });
    if (status === 401) count += 1;
    else expect(status).toBe(429);
  }
  return count;
}

it('throttles guesses at the super-admin token by IPv6 network', async () => {
  const fields = { secret: 'a wrong guess' };
  expect(await tried('/admin/sign-in', fields, (n) => `2001:db8:5:5::${n.toString(16)}`)).toBe(10);
  expect(await tried('/admin/sign-in', fields, (n) => (n % 2 ? '192.0.2.5' : '::ffff:192.0.2.5'))).toBe(10);
  const owner = new Browser();
  await owner.get('/admin/sign-in');
  const elsewhere = { 'cf-connecting-ip': '2001:db8:5:6::1' };
  const signedIn = await owner.post('/admin/sign-in', { secret: env.SUPER_ADMIN_TOKEN }, elsewhere);
  expect(signedIn.status).toBe(303);
});

it("throttles guesses at a developer's password by IPv6 network", async () => {
  const shop = await world();
  const fields = { shop: shop.slug, email: 'ada@example.com', password: 'a wrong guess' };
  expect(await tried('/developer/sign-in', fields, (n) => `2001:db8:6:6::${n.toString(16)}`)).toBe(8);
});
