/** The assistant shows prices of a shop whose currency has other decimals in Intl than in ISO 4217. */
import { deepEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';

/** Starts a shop with one mug for 1,250.50 forints. Returns its address. */
async function openShop(): Promise<string> {
  const price = { amount: 125_050, currency: 'HUF' };
  const cart = { currency: 'HUF', totals: [{ type: 'total', amount: 250_100 }], id: 'c', status: 'open' };
  const server = createServer(({ url = '', headers }, response) => {
    const services = { 'dev.ucp.shopping': [{ transport: 'rest', endpoint: `http://${headers.host}` }] };
    const profile = { ucp: { services, capabilities: { 'dev.ucp.shopping.checkout': [] } } };
    const found = { products: [{ title: 'Mug', variants: [{ id: '1', title: 'Mug', price }] }] };
    const body = url.includes('well-known') ? profile : url.includes('search') ? found : cart;
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  // The address of a TCP server is always an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('amounts are in the minor unit of ISO 4217, of forints too', { timeout: 30_000 }, async () => {
  const agent = spawn(process.execPath, [join(import.meta.dirname, 'agent.ts'), '--shop', await openShop()]);
  const said = await text(agent.stdout);
  const amounts = [...said.matchAll(/(?:Mug|total): (.*)/g)].map(([, amount]) => amount?.replace(/\s/g, ' '));
  deepEqual(amounts, ['HUF 1,250.50', 'HUF 2,501.00', 'HUF 2,501.00']);
});
