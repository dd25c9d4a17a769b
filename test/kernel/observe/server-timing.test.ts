import { expect, it } from 'vitest';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { send, world } from '../../support/world.ts';

const ASKED = { headers: { 'X-Server-Timing': '1' } };

it('says how often each store was called and how long it took, on request only', async () => {
  const shop = await world();
  const { body } = await stockedProduct(shop, {});
  const path = `/products/${body.id}`;
  const read = await shop.get(path, { token: shop.token, ...ASKED });
  expect(read.status).toBe(200);
  expect(read.headers.get('server-timing')).toMatch(/^(\w+;dur=\d+;desc="\d+ calls?", )*total;dur=\d+$/);
  const changed = await shop.patch(path, { name: 'Blue cup' }, { token: shop.token, ...ASKED });
  expect(changed.headers.get('server-timing')).toMatch(/db;dur=\d+;desc="\d+ calls?".*objects;dur=\d+/);
  expect((await shop.patch(path, { name: 'Red cup' })).headers.get('server-timing')).toBeNull();
});

it('changes nothing else of a response', async () => {
  const shop = await world();
  const path = `/orders`;
  const [plain, timed] = [await shop.get(path), await shop.get(path, { token: shop.token, ...ASKED })];
  expect(timed.body).toEqual(plain.body);
  const names = ({ headers }: { headers: Headers }) =>
    [...headers.keys()].filter((name) => name !== 'server-timing');
  expect(names(timed)).toEqual(names(plain));
});

it('says nothing to a storefront, a visitor or a refused caller', async () => {
  const shop = await world();
  const { token } = await shop.register({ kind: 'storefront' });
  for (const asked of [token, null, 'sfe_live_1-1_wrong']) {
    const { headers } = await send('GET', '/v1/products', { token: asked, ...ASKED });
    expect(headers.get('server-timing')).toBeNull();
  }
  expect((await send('GET', '/healthz', ASKED)).headers.get('server-timing')).toBeNull();
});
