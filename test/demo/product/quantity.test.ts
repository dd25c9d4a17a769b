import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';
import { add } from '../demo-steps.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

it('says beside the quantity what is wrong with it, and keeps it', async () => {
  const cup = await stockedProduct(await demoShop(), { name: 'Cup', stock: 9 });
  const { status, html } = await add(new Browser(), cup, { quantity: '1.5' });
  expect(status).toBe(422);
  expect(html).toMatch(/<input id="f-quantity"[^>]* value="1\.5"[^>]* aria-describedby="f-quantity-error"/);
  expect(html).toMatch(/id="f-quantity-error">must be /);
});
