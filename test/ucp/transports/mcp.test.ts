import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/ucp/operations.ts';
import { sendUcp, ucpShop } from '../../support/ucp.ts';

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
    ['a batch', [rpc('ping')], 400, -32600],
    ['an unknown method', rpc('resources/list'), 404, -32601],
    ['a call without a name', rpc('tools/call', {}), 400, -32602],
    ['an unknown tool', rpc('tools/call', { name: 'buy' }), 400, -32602],
    ['no agent', rpc('tools/call', { name: 'search_catalog', arguments: { catalog: {} } }), 400, -32001],
  ])('refuses %s', async (_, body, status, code) => {
    const shop = await ucpShop();
    const answer = await post(shop.slug, body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
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

  it('speaks to GET and to an unknown version of MCP with an error', async () => {
    const shop = await ucpShop();
    const stream = await sendUcp('GET', `/ucp/${shop.slug}/mcp`);
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'POST']);
    const version = await post(shop.slug, rpc('ping'), { 'mcp-protocol-version': '1999-01-01' });
    expect([version.status, version.body.error.code]).toEqual([400, -32600]);
  });
});
