import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/ucp/operations.ts';
import { agentShop, lineOf, published } from '../../support/fixtures/agents/agent.ts';
import { sendUcp, servePlatform, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { lazy } from '../../support/lazy.ts';

/** The shop of requests that are refused. */
const untouched = lazy(() => ucpShop());

const post = (slug: string, body: unknown, headers: Record<string, string> = {}) =>
  sendUcp('POST', `/ucp/${slug}/mcp`, {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const rpc = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  ...(params && { params }),
});

const toolCall = (profile: string, name: string, args: object) => ({
  name,
  arguments: { meta: { 'ucp-agent': { profile } }, ...args },
});

const createCart = (profile: string, item: string, quantity: number) =>
  toolCall(profile, 'create_cart', { cart: lineOf(item, quantity) });

const once = { meta: { 'idempotency-key': crypto.randomUUID() } };

describe('MCP', () => {
  it('shakes hands in a version that both speak', async () => {
    const shop = await ucpShop();
    const version = async (protocolVersion: string) =>
      (await post(shop.slug, rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: {} }))).body
        .result.protocolVersion;
    expect(await version('2025-06-18')).toBe('2025-06-18');
    expect(await version('1999-01-01')).toBe('2025-11-25');
    expect((await post(shop.slug, rpc('ping'))).body).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    const noted = await post(shop.slug, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([noted.status, noted.body]).toEqual([202, null]);
  });

  it.each([1, null, ['2025-06-18'], { toString: 1, valueOf: 1 }])(
    'shakes hands in its newest version with a client that asks for %j',
    async (protocolVersion) => {
      const shop = await ucpShop();
      const answer = await post(shop.slug, rpc('initialize', { protocolVersion }));
      expect([answer.status, answer.body.result?.protocolVersion]).toEqual([200, '2025-11-25']);
    },
  );

  it('lists every operation as a tool with the schema of its arguments', async () => {
    const shop = await ucpShop();
    const { tools } = (await post(shop.slug, rpc('tools/list'))).body.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(operations.map(({ spec }) => spec.name));
    const search = tools.find(({ name }: { name: string }) => name === 'search_catalog');
    expect(search.inputSchema).toMatchObject({
      type: 'object',
      required: ['meta', 'catalog'],
      properties: { catalog: { type: 'object', properties: { query: { type: 'string' } } } },
    });
  });

  it('calls an operation with the same body as REST', async () => {
    const shop = await ucpShop();
    const tool = await shop.tool('search_catalog', { catalog: { query: 'a' } });
    const rest = await shop.rest('POST', '/catalog/search', { query: 'a' });
    expect(tool.status).toBe(200);
    expect(tool.body).toEqual(rest.body);
  });

  it.each([
    ['no JSON', '{', 400, -32700],
    ['no request', { jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600],
    ['an empty batch', [], 400, -32600],
    ['a batch that lists the tools twice', [rpc('tools/list'), rpc('ping'), rpc('tools/list')], 400, -32600],
    ['a batch of too many', Array.from({ length: 11 }, () => rpc('ping')), 400, -32600],
    ['an unknown method', rpc('resources/list'), 404, -32601],
    ['a call without a name', rpc('tools/call', {}), 400, -32602],
    ['an unknown tool', rpc('tools/call', { name: 'buy' }), 400, -32602],
    ['no agent', rpc('tools/call', { name: 'search_catalog', arguments: { catalog: {} } }), 400, -32001],
  ])('refuses %s', async (_, body, status, code) => {
    const shop = await untouched();
    const answer = await post(shop.slug, body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('says how to authenticate where it refuses an agent without proof', async () => {
    const shop = await ucpShop();
    const call = toolCall(shop.profile, 'create_cart', { cart: { line_items: [] } });
    const { status, headers } = await post(shop.slug, rpc('tools/call', call));
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="ucp"']);
  });

  it('refuses an invalid payload, and one under another name', async () => {
    const shop = await ucpShop();
    const wrong = await shop.tool('search_catalog', { catalog: { query: 7 } });
    expect([wrong.status, wrong.body.code]).toEqual([400, -32602]);
    const missing = await shop.tool('search_catalog', { cart: {} });
    expect([missing.status, missing.body.code]).toEqual([400, -32602]);
  });

  it('refuses the version of a platform as an error, and a missing capability as a result', async () => {
    const old = await ucpShop({ platform: { version: '2026-01-11' } });
    const refused = await old.tool('search_catalog', { catalog: { query: 'a' } });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: -32001, data: { code: 'version_unsupported' } },
    });
    const bare = await ucpShop({ platform: { capabilities: {} } });
    const result = await bare.tool('search_catalog', { catalog: { query: 'a' } });
    expect(result).toMatchObject({ status: 200, body: { ucp: { status: 'error' } } });
  });

  it('replies to a batch message by message, and to notifications not at all', async () => {
    const shop = await ucpShop();
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const { status, body } = await post(shop.slug, [
      { ...rpc('ping'), id: 'a' },
      note,
      1,
      rpc('nothing'),
      rpc('tools/call', toolCall(shop.profile, 'search_catalog', { catalog: { query: 'a' } })),
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { id: 'a', result: {} },
      { id: null, error: { code: -32600 } },
      { id: 7, error: { code: -32601 } },
      { id: 7, result: { structuredContent: { ucp: { status: 'success' }, products: [] } } },
    ]);
    const noted = await post(shop.slug, [note, note]);
    expect([noted.status, noted.body]).toEqual([202, null]);
  });

  it('gives each call of a batch its own idempotency key', async () => {
    const { agent, ...shop } = await agentShop('MCP');
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    published();
    const calls = [1, 2].map((quantity) => rpc('tools/call', createCart(shop.profile, cup, quantity)));
    const { body } = await shop.message(calls, { 'idempotency-key': crypto.randomUUID() });
    const quantities = body.map(
      ({ result }: { result: { structuredContent: { line_items: object[] } } }) =>
        result.structuredContent.line_items,
    );
    expect(quantities).toMatchObject([[{ quantity: 1 }], [{ quantity: 2 }]]);
  });

  it('is called by pages of the shop and of this service alone', async () => {
    const host = `${crypto.randomUUID()}.example.com`;
    const shop = await ucpShop({ ucp: { storefront_url: 'https://shop.example.com/de', hosts: [host] } });
    const from = async (origin: string) => (await post(shop.slug, rpc('ping'), { origin })).status;
    for (const own of ['https://shop.example.com', `https://${host}`, 'https://api.example.com']) {
      expect(await from(own), own).toBe(200);
    }
    for (const foreign of ['https://evil.example.com', 'http://shop.example.com', 'null']) {
      expect(await from(foreign), foreign).toBe(403);
    }
  });

  it("lets a browser call it from the shop's pages, and read what it says", async () => {
    const shop = await ucpShop({ ucp: { storefront_url: 'https://shop.example.com/de' } });
    const origin = 'https://shop.example.com';
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const path = `/ucp/${shop.slug}/mcp`;
    const preflight = await sendUcp('OPTIONS', path, { headers: { origin, ...asked } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
    for (const name of ['Content-Type', 'MCP-Protocol-Version', 'Signature-Input', 'Idempotency-Key']) {
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
    }
    const read = async (from: string) => {
      const { headers } = await post(shop.slug, rpc('ping'), { origin: from });
      return [headers.get('access-control-allow-origin'), headers.get('vary')];
    };
    expect(await read(origin)).toEqual([origin, 'Origin']);
    expect(await read('https://evil.example.com')).toEqual([null, 'Origin']);
    expect((await sendUcp('OPTIONS', path)).status).toBe(405);
  });

  it('refuses a header that names another profile than the arguments', async () => {
    const shop = await ucpShop();
    const other = { 'ucp-agent': `profile="${servePlatform()}"` };
    const refused = await shop.tool('search_catalog', { catalog: { query: 'a' } }, other);
    expect([refused.status, refused.body.code]).toEqual([400, -32001]);
    expect(refused.body.data.code).toBe('invalid_profile_url');
    const same = { 'ucp-agent': `profile="${shop.profile}";q=1` };
    expect((await shop.tool('search_catalog', { catalog: { query: 'a' } }, same)).status).toBe(200);
  });

  it('knows an agent by its profile, however its address is written', async () => {
    const { agent, ...shop } = await agentShop('MCP');
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    published();
    const { id } = (await agent.cart.create(lineOf(cup))).body;
    const { host, pathname } = new URL(shop.profile);
    for (const profile of [
      `HTTPS://${host.toUpperCase()}:443${pathname}`,
      `https://${host}/a/..${pathname}`,
    ]) {
      const read = await shop.tool('get_cart', { meta: { 'ucp-agent': { profile } }, id });
      expect([read.status, read.body.id], profile).toEqual([200, id]);
    }
  });

  it('takes the id of a resource as an argument, not in the payload', async () => {
    const { agent, ...shop } = await agentShop('MCP');
    const cup = `p${(await stockedProduct(shop)).body.id}`;
    published();
    const { id } = (await agent.cart.create(lineOf(cup))).body;
    for (const refused of [
      await shop.tool('create_cart', { cart: { id, ...lineOf(cup) } }),
      await shop.tool('update_cart', { id, cart: { id: 'uc_other', ...lineOf(cup) } }),
      await shop.tool('create_checkout', { checkout: { id, ...lineOf(cup) } }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([400, -32602]);
    }
    expect((await shop.tool('update_cart', { id, cart: { id, ...lineOf(cup) } })).status).toBe(200);
  });

  it.each(['cancel_cart', 'complete_checkout', 'cancel_checkout'])('demands a key for %s', async (name) => {
    const shop = await ucpShop();
    const refused = await shop.tool(name, { id: 'x', checkout: {} });
    expect([refused.status, refused.body.code]).toEqual([400, -32602]);
    const keyed = await shop.tool(name, { id: 'x', checkout: {}, ...once });
    expect(keyed).toMatchObject({ status: 200, body: { messages: [{ code: 'not_found' }] } });
  });

  it('speaks to GET and to an unknown version of MCP with an error', async () => {
    const shop = await ucpShop();
    const stream = await sendUcp('GET', `/ucp/${shop.slug}/mcp`);
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'POST']);
    const version = await post(shop.slug, rpc('ping'), { 'mcp-protocol-version': '1999-01-01' });
    expect([version.status, version.body.error.code]).toEqual([400, -32600]);
  });
});
