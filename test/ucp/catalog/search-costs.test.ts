/** A search by an agent costs the storage calls of a storefront's search, over both transports. */
import { expect, it } from 'vitest';
import { fetchWith } from '../../support/faults/bindings.ts';
import { published } from '../../support/fixtures/agents/agent.ts';
import { agentOf, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { countStorageCalls, type StorageCalls } from '../../support/storage/storage-calls.ts';

/** Counts the storage calls of what is done with an environment. */
async function counted(use: (worker: Env) => Promise<{ readonly status: number }>): Promise<StorageCalls> {
  const { env, calls } = countStorageCalls();
  expect((await use(env)).status).toBe(200);
  return calls;
}

/** Creates a shop in which a storefront and an agent have searched before. */
async function searchedShop() {
  const shop = await ucpShop();
  await stockedProduct(shop, { name: 'Stoneware cup, mug, bowl and plate' });
  published();
  const storefront = (query: string) =>
    counted((worker) => {
      const path = `/v1/search?q=${query}&include=variants,categories&limit=10`;
      return fetchWith(worker, 'GET', path, shop.token);
    });
  const agent = (transport: string, query: string) =>
    counted((worker) => {
      const serve = async ({ method, url, headers, body }: Request) =>
        fetchWith(worker, method, new URL(url).pathname, null, { headers, body });
      const { rest, tool } = agentOf(shop, shop.profile, serve);
      const catalog = { query, context: { currency: 'EUR' } };
      return transport === 'REST'
        ? rest('POST', '/catalog/search', catalog)
        : tool('search_catalog', { catalog });
    });
  await storefront('stoneware');
  await agent('REST', 'stoneware');
  return { storefront, agent };
}

it.each(['REST', 'MCP'])('costs the same over %s', async (transport) => {
  const { storefront, agent } = await searchedShop();
  // Each word is new to the caches.
  const expected = await storefront('cup');
  expect(expected.search).toBeGreaterThan(0);
  expect(await agent(transport, 'mug')).toEqual(expected);
});
