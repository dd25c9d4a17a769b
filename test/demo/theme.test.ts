import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { Browser } from '../support/fixtures/browser.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { demoShop } from '../support/fixtures/demo.ts';
import { admin } from '../support/world.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

/** The address of the theme's stylesheet on a page. */
const stylesheetOf = (html: string): string => /href="(\/demo\/theme\.css[^"]*)"/.exec(html)?.[1] ?? 'none';

it("shows the shop in the tenant's name, logo, colours and font, and follows changes", async () => {
  const shop = await demoShop();
  await admin('PATCH', `/tenants/${shop.slug}`, { name: 'Pine & Harbour' });
  await shop.patch('/theme/options', {
    colors: { primary: '#123456', background: '#FFFFFF' },
    font_family: 'Georgia, serif',
    favicon_url: 'https://cdn.example.com/icon.png',
  });
  const browser = new Browser();
  const { html } = await browser.get('/demo');
  expect(html).toContain('<title>Home · Pine &amp; Harbour</title>');
  expect(html).toContain('href="https://cdn.example.com/icon.png"');
  const path = stylesheetOf(html);
  const css = await browser.send('GET', path);
  expect(css.headers.get('content-type')).toContain('text/css');
  expect(css.headers.get('cache-control')).toContain('immutable');
  expect(css.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(css.html).toMatch(/--primary:#123456.*--font:Georgia, serif/);

  await shop.patch('/theme/options', {
    colors: { primary: '#654321' },
    logo_url: 'https://cdn.example.com/logo.png',
  });
  const later = await vi.waitFor(
    async () => {
      const got = await browser.get('/demo');
      expect(got.html).toMatch(/<img src="https:\/\/cdn\.example\.com\/logo\.png" alt="Pine &amp; Harbour"/);
      return got;
    },
    { timeout: 30_000, interval: 200 },
  );
  expect(stylesheetOf(later.html)).not.toBe(path);
  // A page that was kept longer has its own stylesheet no more, and must not keep another one for good.
  const old = await browser.send('GET', path);
  expect(old.headers.get('cache-control')).toBe('public, max-age=60');
});

it('corrects colours that nobody could read', async () => {
  const shop = await demoShop();
  await shop.patch('/theme/options', { colors: { text: '#FEFEFE', background: '#FFFFFF' } });
  const browser = new Browser();
  const css = await browser.send('GET', stylesheetOf((await browser.get('/demo')).html));
  expect(css.html).not.toContain('--text:#fefefe');
});

it("shows the theme's sections in their order, and products of a category that one is named after", async () => {
  const shop = await demoShop();
  const { id } = (await shop.post('/categories', { name: 'Slow Mornings' })).body;
  await stockedProduct(shop, { name: 'Kettle', category_ids: [id] });
  await shop.patch('/theme/options', {
    homepage_sections: ['slow_mornings', 'unknown', 'categories', 'hero'],
  });
  const { html } = await new Browser().get('/demo');
  const places = ['<h2 dir="auto">Slow Mornings', '>Kettle</a>', 'Shop by category', 'class="hero"'].map(
    (part) => html.indexOf(part),
  );
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

it('begins the home page with products that have pictures', async () => {
  const shop = await demoShop();
  await stockedProduct(shop, { name: 'Kettle', images: ['https://cdn.example.com/kettle.jpg'] });
  await stockedProduct(shop, { name: 'Tea' });
  await shop.patch('/theme/options', { homepage_sections: ['hero'] });
  const { html } = await new Browser().get('/demo');
  expect(html).toMatch(/class="collage"[^>]*><img[^>]*kettle\.jpg/);
});

it('has a page of its own for an unknown address', async () => {
  await demoShop();
  const { status, html } = await new Browser().get('/demo/made-up');
  expect(status).toBe(404);
  expect(html).toMatch(/Page not found[\s\S]*Go to the home page/);
  expect(stylesheetOf(html)).toContain('?v=');
});

it('shows a section of any name that a category can have', async () => {
  const shop = await demoShop();
  const { id } = (await shop.post('/categories', { name: 'Constructor' })).body;
  await stockedProduct(shop, { name: 'Wooden bricks', category_ids: [id] });
  await shop.patch('/theme/options', { homepage_sections: ['constructor'] });
  const { status, html } = await new Browser().get('/demo');
  expect([status, html]).toEqual([200, expect.stringContaining('<h2 dir="auto">Constructor')]);
});

it("writes texts and badges in the theme's colour", async () => {
  const response = await env.ASSETS.fetch('https://api.example.com/panel-assets/demo.css');
  const css = await response.text();
  expect(css).toMatch(/body\{[^}]*;color:var\(--text\)/);
  expect(css).toMatch(/\.badge\{[^}]*;background:var\(--text\);color:var\(--ground\)/);
});
