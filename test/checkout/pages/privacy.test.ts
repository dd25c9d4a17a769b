import { expect, it } from 'vitest';
import { fiveCups } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  browseAnew,
  cartWith,
  checkoutPath,
  sandboxShop,
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
});
