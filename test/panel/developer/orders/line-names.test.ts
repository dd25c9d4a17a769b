/** Two variants of one product in an order: the pages after payment tell them apart. */
import { expect, it } from 'vitest';
import { fieldsOf } from '../../../support/fixtures/browser.ts';
import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import { cartWith, sandboxShop } from '../../../support/fixtures/selling/checkout.ts';
import { paidOrder } from './paid-cups.ts';

it('names the variant that is put in a parcel and that is refunded', async () => {
  const shop = await sandboxShop();
  const variants = ['Blue', 'Green'].map((Colour) => ({
    sku: Colour,
    price: 10,
    stock: 5,
    attributes: { Colour },
  }));
  const mug = await createProduct(shop, { name: 'Mug', type: 'configurable', variants });
  const [blue, green] = mug.body.variants;
  const cart = await cartWith(shop, mug, 2, { options: { variant_id: blue.id } });
  await shop.post('/cart/items', { cart_token: cart, variant_id: green.id, quantity: 1 });
  const { developer, here } = await paidOrder(shop, cart);

  await developer.get(`${here}/fulfil`);
  expect(developer.last.html).toContain('Mug (Colour: Blue)');
  expect(developer.last.html).toContain('Fulfil of Mug (Colour: Green)');
  await developer.submit(`${here}/fulfil`, {
    ...fieldsOf(developer.last.html, `${here}/fulfil`),
    'quantity.1': '0',
  });
  // In the list of fulfilments, and in the timeline.
  expect(developer.last.html.split('1 × Mug (Colour: Green)')).toHaveLength(3);

  await developer.get(`${here}/refund`);
  expect(developer.last.html).toContain('Refund of Mug (Colour: Blue)');
  await developer.submit(`${here}/refund`, { what: 'part', 'units.1': '1' });
  expect(developer.last.html).toContain('1 × Mug (Colour: Blue)</td>');
});

it('names the files of a download that is refunded', async () => {
  const shop = await sandboxShop();
  const files = ['Maps', 'Photos'].map((title, n) => ({
    id: n + 1,
    title,
    price: 5,
    url: `https://files.example.com/${n}.pdf`,
  }));
  const guide = await createProduct(shop, { name: 'Guide', type: 'downloadable', links: files });
  const cart = await cartWith(shop, guide, 1, { options: { links: [2] } });
  const { developer, here } = await paidOrder(shop, cart);
  await developer.get(`${here}/refund`);
  expect(developer.last.html).toContain('Refund of Guide (file: Photos)');
});
