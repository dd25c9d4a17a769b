import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { contrast, palettes } from '../../../src/theme/palette.ts';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  shownTotal,
} from '../../support/fixtures/selling/checkout.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';

it('rejects forms from other sites', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const form = { ...ADDRESS, shown_total: shownTotal(await browse(path)), action: 'pay' };
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    expect((await browse(path, form, { headers })).status).toBe(409);
  }
  const body = new URLSearchParams(form).toString();
  const foreign = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' };
  expect((await browse(path, undefined, { method: 'POST', body, headers: foreign })).status).toBe(409);
  const json = { 'content-type': 'application/json' };
  const plain = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await browse(path, undefined, { method: 'POST', body: '{}', headers: json })).status).toBe(415);
  const packed = { ...plain, 'content-encoding': 'gzip' };
  const compressed = await browse(path, undefined, { method: 'POST', body, headers: packed });
  expect([compressed.status, compressed.headers.get('accept-encoding')]).toEqual([415, 'identity']);
  const huge = { ...form, line2: 'x'.repeat(40_000) };
  expect((await browse(path, huge)).status).toBe(413);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
  // Without a browser's headers the token is enough: it is the key.
  expect(readReturn(await browse(path, undefined, { method: 'POST', body, headers: plain })).status).toBe(
    'paid',
  );
});

it('lets a network load and send the pages of a checkout 60 times at once, then once a second', async () => {
  stopClock();
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const other = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const visit = (to: string, network = '203.0.113.40', form?: Record<string, string>) =>
    browse(to, form, { headers: { 'cf-connecting-ip': network, 'sec-fetch-site': 'same-origin' } });
  for (let n = 0; n < 30; n++) {
    expect((await visit(path)).status).toBe(200);
    expect((await visit(`${path}/return`)).status).toBe(200);
  }
  const refused = await visit(`${path}/return`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.text).toContain('Too many requests');
  for (const page of [path, `${path}/thanks`]) expect((await visit(page)).status).toBe(429);
  expect((await visit(path, '203.0.113.40', { ...ADDRESS, action: 'pay' })).status).toBe(429);
  // Neither another shopper is held up, nor the same network in another checkout.
  expect((await visit(path, '203.0.113.41')).status).toBe(200);
  expect((await visit(other)).status).toBe(200);
  moveClock(1_000);
  expect((await visit(path)).status).toBe(200);
});

it('allows in its CSP only what the page needs', async () => {
  const shop = await sandboxShop();
  await shop.patch('/theme/options', { font_family: "Georgia, 'Times New Roman'" });
  const path = await checkoutPath(
    shop,
    await cartWith(shop, await stockedProduct(shop, { name: '</style><script>alert(1)</script>' })),
  );
  const page = await browse(path);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.text).not.toMatch(/<script/);
  expect(page.text.match(/<\/style>/g)).toHaveLength(1);
  expect(page.text.length).toBeLessThan(30_000);
});

it('escapes names, addresses and themes', async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`;
  const shop = await sandboxShop({ name: `Shop ${evil}` });
  const logo_url = "https://cdn.example.com/logo.svg?'onerror='alert(3)&lt=1";
  const themed = await shop.patch('/theme/options', { logo_url, favicon_url: logo_url });
  expect(themed.status, JSON.stringify(themed.body)).toBe(200);
  const path = await checkoutPath(
    shop,
    await cartWith(shop, await stockedProduct(shop, { name: `Cup ${evil}` })),
  );
  const fields = { ...ADDRESS, first_name: evil, last_name: evil, line1: evil, city: evil, company: evil };
  const form = { ...fields, shown_total: shownTotal(await browse(path)) };
  const pages = [
    await browse(path),
    // What is wrong is shown with what was sent, and then the order as it was placed.
    await browse(path, { ...form, email: evil, action: 'pay' }),
    await browse(path, { ...form, action: 'decline' }),
    await browse(path),
  ];
  for (const { text } of pages) {
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toMatch(/<script|<img src=x|\sonerror="|\?'onerror/);
  }
  expect(pages.map(({ text }) => text.includes('value="&quot;&gt;'))).toContain(true);
});

it('keeps every theme readable in light and dark mode', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, color, color, (background, text, primary) => {
      const colors = { background, text, primary, accent: primary };
      for (const p of Object.values(palettes({ colors }))) {
        for (const ground of [p.ground, p.raised]) {
          for (const ink of [p.text, p.soft, p.accent, p.alert])
            expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrast(p['on-primary'], p.primary)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(p['on-accent'], p.accent)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(p.edge, p.ground)).toBeGreaterThanOrEqual(3);
        expect(contrast(p.primary, p.ground)).toBeGreaterThanOrEqual(3);
      }
    }),
    { numRuns: 500 },
  );
});

it('says when to try again while nothing can be paid', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const form = { ...ADDRESS, shown_total: shownTotal(await browse(path)), action: 'pay' };
  await shop.patch('/settings', { payments: 'none' });
  const page = await browse(path, form);
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '60']);
});
