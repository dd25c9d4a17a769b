import { expect, it } from 'vitest';
import { beforeBatch } from '../../support/faults/database.ts';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  browseAnew,
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  shownTotal,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';

/** Only the browser in which a guest typed their data sees them: others have the page's URL as well. */

/** Another browser, which keeps the cookie that it gets. */
async function inAnotherBrowser(path: string, form: Record<string, string>): Promise<string> {
  const sent = await browseAnew(path, form);
  const cookie = sent.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { text } = await browseAnew(path, undefined, { headers: { cookie } });
  return sent.text + text;
}

it('shows what a guest typed in no other browser, whatever form that one sends', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  await submitCheckout(path, 'update', ADDRESS);
  expect((await browse(path)).text).toContain('12 St James Square');
  for (const action of ['use_address', 'nothing', 'billing']) {
    const seen = await inAnotherBrowser(path, { action, saved_address: 'none' });
    expect(seen, action).not.toMatch(/Lovelace|St James|ada@example/);
  }
  // Nor beside an order whose payment was declined.
  await submitCheckout(path, 'decline', ADDRESS);
  expect((await browse(path)).text).toContain('12 St James Square');
  expect((await browseAnew(path)).text).not.toMatch(/Lovelace|St James|ada@example/);
});

it('shows its cookie to no script, no other page and no connection without TLS', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const [cookie = ''] = (await submitCheckout(path, 'update', ADDRESS)).headers.getSetCookie();
  expect(cookie.split('; ').slice(1)).toEqual(
    expect.arrayContaining(['HttpOnly', 'Secure', 'SameSite=Lax', `Path=${path}`]),
  );
});

it('keeps the data of a placed order in its browser, when an old tab sends its form once more', async () => {
  const shop = await sandboxShop();
  const links = [{ title: 'Maps', price: 0, url: 'https://files.example.com/maps.zip' }];
  const book = await stockedProduct(shop, { name: 'Book', type: 'downloadable', links });
  const [{ id }] = book.body.links;
  const path = await checkoutPath(shop, await cartWith(shop, book, 1, { options: { links: [id] } }));
  const old = await browse(path);
  await submitCheckout(path, 'decline', ADDRESS);
  await browse(path, { ...ADDRESS, shown_total: shownTotal(old), action: 'update' });
  readReturn(await browse(path, { action: 'pay' }));
  expect((await browse(`${path}/thanks`)).text).toContain('Download Maps');
});

it('shows an order to nobody else who placed it at the same time with other data', async () => {
  const shop = await sandboxShop();
  const links = [{ title: 'Maps', price: 0, url: 'https://files.example.com/maps.zip' }];
  const book = await stockedProduct(shop, { name: 'Book', type: 'downloadable', links });
  const [{ id }] = book.body.links;
  const path = await checkoutPath(shop, await cartWith(shop, book, 1, { options: { links: [id] } }));
  const form = { ...ADDRESS, shown_total: shownTotal(await browse(path)), action: 'pay' };
  beforeBatch(/insert into "orders"/, async () => void readReturn(await browse(path, form)));
  const late = await browseAnew(path, { ...form, first_name: 'Eve', email: 'eve@example.com' });
  expect(readReturn(late).status).toBe('paid');
  const cookie = late.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const seen = await browseAnew(`${path}/thanks`, undefined, { headers: { cookie } });
  expect(seen.text).toContain('is paid');
  expect(seen.text).not.toContain('Download Maps');
  expect((await browse(`${path}/thanks`)).text).toContain('Download Maps');
});
