import { expect, it } from 'vitest';
import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import { cartWith, sandboxShop } from '../../../support/fixtures/selling/checkout.ts';
import { paidOrder } from './paid-cups.ts';

it('names what is packed as a whole, however long: name, choices and SKU', async () => {
  const shop = await sandboxShop();
  const name = `Signet ring ${'in solid silver '.repeat(8)}`.trim();
  const sku = `${'SIGNET-RING-'.repeat(5)}L`;
  const variants = [{ sku, price: 10, stock: 5, attributes: { Size: 'Large' } }];
  const ring = await createProduct(shop, { name, type: 'configurable', variants });
  const engraving = `${'For Ada, with love. '.repeat(30)}The end`;
  const options = { attributes: { Size: 'Large' }, engraving };
  const cart = await cartWith(shop, ring, 1, { options });
  for (let n = 0; n < 3; n++) await cartWith(shop, ring, 1, { cart_token: cart, options: { ...options, n } });
  const { developer, here } = await paidOrder(shop, cart);
  const slip = (await developer.get(`${here}/packing-slip`)).html;
  for (const text of [name, 'Size: Large', engraving, `>${sku}<`]) expect(slip).toContain(text);
  expect(slip.split(engraving)).toHaveLength(5);
  for (const page of [here, `${here}/fulfil`, `${here}/refund?what=part`]) {
    expect((await developer.get(page)).html, page).toContain(`>${sku}<`);
  }
});

it('says in which time zone its date is', async () => {
  const shop = await sandboxShop();
  const mug = await createProduct(shop, { name: 'Mug', stock: 5 });
  const { developer, here } = await paidOrder(shop, await cartWith(shop, mug, 1));
  const { html } = await developer.get(`${here}/packing-slip`);
  expect(html).toMatch(/Order \d+, <time datetime="[^"]+Z">\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>/);
});
