/** Hostile requests to every operation over both transports: each gets a response of the protocol, none a 5xx. */
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { operations } from '../../../src/ucp/operations.ts';
import { hostileBody, hostileValue, nearly } from '../../support/contract/hostile.ts';
import { agentShop, lineOf, published, ready } from '../../support/fixtures/agents/agent.ts';
import { sendUcp, type UcpAnswer, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { Platform } from '../../support/fixtures/agents/platform.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';

type Shop = Awaited<ReturnType<typeof agentShop>>;

/** What the requests are made for: a shop with an item, a cart and a checkout. */
interface Subject {
  readonly shop: Shop;
  readonly item: string;
  readonly cart: string;
  readonly checkout: string;
}

async function makeSubject(): Promise<Subject> {
  const shop = await agentShop('REST');
  const item = `v${(await stockedProduct(shop)).body.id}`;
  published();
  const cart = (await shop.agent.cart.create(lineOf(item))).body.id;
  const checkout = (await shop.agent.checkout.create(ready(item))).body.id;
  return { shop, item, cart, checkout };
}

/** Returns a valid payload of an operation. */
function sampleOf(name: string, { item, cart }: Subject): object {
  if (name === 'search_catalog') return { query: 'cup', context: { currency: 'EUR' }, filters: {} };
  if (name === 'lookup_catalog') return { ids: [item] };
  if (name === 'get_product') return { id: item, selected: [{ name: 'Size', label: 'M' }] };
  if (name === 'create_checkout') return { cart_id: cart, ...ready(item) };
  return ready(item, { discounts: { codes: ['WELCOME'] } });
}

const idOf = (path: string, { cart, checkout }: Subject): string =>
  path.startsWith('/carts') ? cart : checkout;

const PAST_END = 'x'.repeat(300);
const IDS = ['none', '%00', '%2e%2e%2f', '1%27%20OR%201=1', '%F0%9F%AB%96', PAST_END];
const HEADERS: readonly Record<string, string>[] = [
  {},
  { 'idempotency-key': PAST_END },
  { 'idempotency-key': '"' },
  { 'accept-language': 'xx;q=9, *;q=a, ,' },
  { 'request-id': PAST_END },
  { 'content-type': 'text/plain' },
  { accept: 'text/html' },
  { authorization: 'Bearer nothing' },
  { 'ucp-agent': '(((' },
  { 'ucp-agent': 'profile="javascript:alert(1)"' },
  { 'ucp-agent': 'profile="https://127.0.0.1/profile.json"' },
  { 'ucp-agent': `profile="https://${PAST_END}.example/"` },
];

/** Expects a JSON-RPC error, a protocol error, or an outcome with its status. */
function expectForm({ status, body }: UcpAnswer): void {
  const shown = JSON.stringify(body).slice(0, 500);
  expect(status, shown).toBeLessThan(500);
  expect(status, shown).not.toBe(429);
  const rpcError = body.jsonrpc ? body.error : body;
  if (typeof rpcError?.code === 'number') expect(rpcError.message, shown).toEqual(expect.any(String));
  else if (body.jsonrpc) expect(body.result.structuredContent.ucp.status, shown).toMatch(/^(success|error)$/);
  else if (status < 300) expect(body.ucp.status, shown).toMatch(/^(success|error)$/);
  else expect(body, shown).toMatchObject({ code: expect.any(String), content: expect.any(String) });
}

describe.each(operations.map(({ spec }) => [spec.name, spec] as const))('%s', (name, spec) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await makeSubject();
  });
  const requests = () =>
    fc.record({
      payload: fc.oneof(nearly(sampleOf(name, subject)), hostileValue()),
      id: fc.oneof(fc.constant(idOf(spec.path, subject)), fc.constantFrom(...IDS)),
      headers: fc.constantFrom(...HEADERS),
    });
  const numRuns = inject('requestCases');

  it('answers hostile input over REST', async () => {
    const once = (headers: Record<string, string>) => ({
      'idempotency-key': crypto.randomUUID(),
      ...headers,
    });
    await fc.assert(
      fc.asyncProperty(requests(), async ({ payload, id, headers }) => {
        const body = spec.method === 'get' ? undefined : payload;
        const path = spec.path.replace('{id}', id);
        expectForm(await subject.shop.rest(spec.method.toUpperCase(), path, body, once(headers)));
      }),
      { numRuns },
    );
  });

  it('answers hostile input over MCP', async () => {
    await fc.assert(
      fc.asyncProperty(requests(), fc.boolean(), async ({ payload, id, headers }, keyed) => {
        const meta = keyed ? { meta: { 'idempotency-key': crypto.randomUUID() } } : {};
        const args = { ...meta, id, ...(spec.argument && { [spec.argument]: payload }) };
        expectForm(await subject.shop.tool(name, args, headers));
      }),
      { numRuns },
    );
  });

  it('answers bodies that are no JSON', async () => {
    const profile = { 'ucp-agent': `profile="${subject.shop.profile}"` };
    await fc.assert(
      fc.asyncProperty(hostileBody(), fc.boolean(), async ({ raw, headers }, overMcp) => {
        const below = overMcp ? '/mcp' : spec.path.replace('{id}', idOf(spec.path, subject));
        const method = overMcp ? 'POST' : spec.method.toUpperCase();
        const init = { headers: { ...profile, ...headers }, ...(method !== 'GET' && { body: raw }) };
        expectForm(await sendUcp(method, `/ucp/${subject.shop.slug}${below}`, init));
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  });
});

it.each([
  ['arrays', '[', ']', 30_000],
  ['objects', '{"a":', '}', 10_000],
])('answers unknown fields of %s that are nested deeply, with a key', async (_, open, close, depth) => {
  const shop = await ucpShop();
  const platform = await Platform.create();
  const deep = `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`;
  const rpc = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_cart","arguments":${args}}}`;
  const meta = `{"ucp-agent":{"profile":"${platform.uri}"},"idempotency-key":"${crypto.randomUUID()}"}`;
  for (const [path, body] of [
    ['/carts', `{"line_items":[],"unknown":${deep}}`],
    ['/carts', deep],
    ['/mcp', rpc(`{"meta":${meta},"cart":{"line_items":[],"unknown":${deep}}}`)],
    ['/mcp', rpc(`{"meta":${meta},"unknown":${deep},"cart":{"line_items":[]}}`)],
    ['/mcp', `[${deep}]`],
  ] as const) {
    const url = `https://api.example.com/ucp/${shop.slug}${path}`;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const signed = await platform.sign({ method: 'POST', url, headers, body });
    expectForm(await sendUcp('POST', `/ucp/${shop.slug}${path}`, { headers: signed, body }));
  }
});
