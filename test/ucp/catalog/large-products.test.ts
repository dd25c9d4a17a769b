/** Products with long descriptions, as an agent gets them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { inTurn, learnSize } from '../../../src/kernel/async/memory-turns.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { ask, TRANSPORTS } from './catalog-shop.ts';

const TEXT = 'Fired twice. '.repeat(5_000).trim();
const HTML = `<p>${TEXT}</p>`;
const MI = 1024 * 1024;

let shop: Awaited<ReturnType<typeof ucpShop>>;
let vase: string;
beforeAll(async () => {
  shop = await ucpShop();
  const { body } = await createProduct(shop, { name: 'Vase', description: HTML });
  vase = `p${body.id}`;
  await createProduct(shop, { name: 'Cup', description: '<p>Fired <b>once</b></p>' });
});

describe.each(TRANSPORTS)('over %s', (transport) => {
  it('has the beginnings of descriptions in lists, and all of it in the product', async () => {
    const listed = [
      (await ask(shop, transport, 'search', { query: '*' })).body.products.at(-1),
      (await ask(shop, transport, 'lookup', { ids: [vase] })).body.products[0],
    ];
    for (const { id, description, variants } of listed) {
      expect(id).toBe(vase);
      expect(description).toEqual({ plain: `${TEXT.slice(0, 5_000)}…` });
      expect(variants[0].description).toEqual(description);
    }
    const { product } = (await ask(shop, transport, 'product', { id: vase })).body;
    expect(product.description).toEqual({ plain: TEXT, html: HTML });
  });
});

it('takes no more messages of a batch once their replies are large', async () => {
  const params = {
    name: 'get_product',
    arguments: { meta: { 'ucp-agent': { profile: shop.profile } }, catalog: { id: vase } },
  };
  const messages = Array.from({ length: 10 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params,
  }));
  const { status, body } = await shop.message(messages);
  expect(status).toBe(200);
  const ids = body.map(({ id }: { id: number }) => id);
  expect(ids).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const refused = body.filter(({ error }: { error?: object }) => error !== undefined);
  expect(refused.at(-1)).toMatchObject({ id: 9, error: { code: -32600 } });
  expect(refused.length).toBeLessThan(5);
});

it('is unavailable while the responses of others take all memory for five seconds', async () => {
  const other = await ucpShop();
  const large = { tenantId: 1_000_000_000, name: 'large' };
  learnSize(large, 30 * MI);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const held = inTurn(large, () => ended);
  const waiting = other.rest('POST', '/catalog/lookup', { ids: ['p1'] });
  await scheduler.wait(200);
  moveClock(5_001);
  const refused = await waiting;
  end();
  await held;
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await other.rest('POST', '/catalog/lookup', { ids: ['p1'] })).status).toBe(200);
});
