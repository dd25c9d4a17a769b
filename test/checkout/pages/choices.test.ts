import { expect, it } from 'vitest';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';

import { promoteByCode } from '../../support/fixtures/selling/promotions.ts';

/** A line of the hosted pages says what was chosen of its product, as the cart does. */

it('shows what was chosen of a bundle, from the checkout to the paid order', async () => {
  const shop = await sandboxShop();
  const [tea, cocoa, cup] = await Promise.all(
    ['Tea', 'Cocoa', 'Cup'].map(async (name) => (await stockedProduct(shop, { name, stock: 9 })).body.id),
  );
  const one = (title: string, ids: number[]) => ({
    title,
    required: true,
    multiple: false,
    items: ids.map((product_id) => ({ product_id, quantity: 2 })),
  });
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    bundle_groups: [one('Drink', [tea, cocoa]), one('Vessel', [cup])],
  });
  const [drinks, vessels] = kit.body.bundle_groups;
  let cart_token: string | null = null;
  for (const { id } of drinks.items) {
    const bundle_options = { [drinks.id]: [id], [vessels.id]: [vessels.items[0].id] };
    cart_token = await cartWith(shop, kit, 1, { cart_token, options: { bundle_options } });
  }
  const path = await checkoutPath(shop, cart_token ?? '');
  const shown = /2 × Tea \/ 2 × Cup[\s\S]*2 × Cocoa \/ 2 × Cup/;
  expect((await browse(path)).text).toMatch(shown);
  await submitCheckout(path, 'decline');
  expect((await browse(path)).text).toMatch(shown);
  await submitCheckout(path, 'pay');
  expect((await browse(`${path}/thanks`)).text).toMatch(shown);
});

it('shows which files were chosen, and once paid names each by its link alone', async () => {
  const shop = await sandboxShop();
  const links = ['Maps', 'Photos'].map((title) => ({ title, price: 0, url: 'https://files.example.com/1' }));
  const book = await stockedProduct(shop, { name: 'Book', type: 'downloadable', links });
  const options = { links: [book.body.links[1].id] };
  const path = await checkoutPath(shop, await cartWith(shop, book, 1, { options }));
  const { text } = await browse(path);
  expect(text).toContain('· <bdi>Photos</bdi></p>');
  expect(text).not.toContain('Maps');
  await submitCheckout(path, 'pay');
  expect((await browse(`${path}/thanks`)).text.match(/Photos/g)).toHaveLength(1);
});

it('asks to place an order with nothing to pay, and offers to decline no payment', async () => {
  const shop = await sandboxShop();
  const sample = await stockedProduct(shop, { name: 'Sample', price: 0 });
  const path = await checkoutPath(shop, await cartWith(shop, sample, 1));
  const { text } = await browse(path);
  expect(text).toMatch(/value="pay">\s*Place order/);
  expect(text).not.toContain('value="decline"');
  await submitCheckout(path, 'pay');
  expect((await shop.get('/orders')).body.data).toMatchObject([
    { status: 'paid', totals: { grand_total: 0 } },
  ]);
});

it('reads what was chosen, the method and the promotion in the direction of their script', async () => {
  const method = { id: 'fast', name: 'משלוח 24h', price: 3 };
  const shop = await sandboxShop({ settings: { shipping: { methods: [method] } } });
  await promoteByCode(shop, 'SALE', { name: 'הנחה 10', effect: { kind: 'percent', value: 10 } });
  const cup = await stockedProduct(shop, {
    name: 'Cup',
    type: 'configurable',
    variants: [{ sku: 'C-1', price: 20, stock: 5, attributes: { size: 'קטן (S)' } }],
  });
  const cart = await cartWith(shop, cup, 1, { options: { variant_id: cup.body.variants[0].id } });
  expect((await shop.post(`/cart/${cart}/coupon`, { code: 'SALE' })).status).toBe(200);
  const path = await checkoutPath(shop, cart);
  await submitCheckout(path, 'update', { ...ADDRESS });
  const { text } = await browse(path);
  for (const shown of ['קטן (S)', 'משלוח 24h', 'הנחה 10, SALE'])
    expect(text).toContain(`<bdi>${shown}</bdi>`);
  await submitCheckout(path, 'pay', { ...ADDRESS });
  expect((await browse(`${path}/thanks`)).text).toContain('<bdi>קטן (S)</bdi>');
});

it('reads names of the shop and of shoppers in the direction of their script', async () => {
  const shop = await sandboxShop({ name: 'קפה!' });
  const cup = await stockedProduct(shop, { name: 'כוס!' });
  const path = await checkoutPath(shop, await cartWith(shop, cup));
  const typed = { ...ADDRESS, city: 'חיפה!', note: 'תודה!' };
  await submitCheckout(path, 'update', typed);
  const { text } = await browse(path);
  for (const shown of ['קפה!', 'כוס!', 'תודה!'])
    expect(text).toMatch(new RegExp(`dir="auto"[^<>]*>${shown}<`));
  expect(text).toMatch(/<input[^>]*dir="auto"[^>]*value="חיפה!"/);
  await submitCheckout(path, 'decline', typed);
  const placed = (await browse(path)).text;
  // Each line by itself: the direction of the first one would reorder the others.
  expect(placed).toMatch(/<address><bdi>[\s\S]*<bdi>[^<]*חיפה!<\/bdi>/);
  expect(placed).toMatch(/Your note: <bdi>תודה!<\/bdi>/);
  await submitCheckout(path, 'pay');
  expect((await browse(`${path}/thanks`)).text).toContain('1 × <bdi>כוס!</bdi>');
});
