import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

it('compares the price of a reduced download and its files with what both cost before', async () => {
  const shop = await demoShop();
  const { body } = await stockedProduct(shop, {
    name: 'Atlas',
    type: 'downloadable',
    price: 12,
    sale: { price: 10 },
    links: [{ title: 'Maps', price: 5, url: 'https://files.example.com/maps.zip' }],
  });
  const { html } = await new Browser().get(`/demo/products/${body.id}`);
  expect(html).toMatch(/Now <\/span>€15\.00<\/span> <s><span class="hidden">Before <\/span>€17\.00/);
});
