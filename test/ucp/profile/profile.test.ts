import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { moveClock, now } from '../../../src/kernel/core/clock.ts';
import { operations } from '../../../src/ucp/operations.ts';
import { expectOfficial } from '../../support/contract/ucp-schemas.ts';
import { fetchWith, recordedBindings } from '../../support/faults/bindings.ts';
import { forgetTenants, sendUcp, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { admin, world } from '../../support/world.ts';

const hostOf = (): string => `shop-${crypto.randomUUID()}.example.com`;

/** Asks for the profile at a host. */
const profileAt = (host: string) => sendUcp('GET', '/.well-known/ucp', {}, `https://${host}`);

describe('the business profile', () => {
  it('is looked up for an unknown shop sixty times at once from a network, then once a second', async () => {
    const shop = await ucpShop();
    stopClock();
    const ask = async (slug: string, network: string) => {
      const headers = { 'cf-connecting-ip': network };
      return (await sendUcp('GET', `/ucp/${slug}/.well-known/ucp`, { headers })).status;
    };
    const unknown = (network: string) => ask(`x${crypto.randomUUID()}`, network);
    expect(await ask(shop.slug, '192.0.2.41')).toBe(200);
    for (let n = 0; n < 60; n++) expect(await unknown('192.0.2.41')).toBe(404);
    expect(await unknown('192.0.2.41')).toBe(429);
    // A shop that the isolate knows is served, and another network may ask.
    expect(await ask(shop.slug, '192.0.2.41')).toBe(200);
    expect(await unknown('192.0.2.42')).toBe(404);
    moveClock(1_000);
    expect(await unknown('192.0.2.41')).toBe(404);
  });

  it('is looked up for an unknown host as seldom', async () => {
    const host = hostOf();
    await ucpShop({ ucp: { hosts: [host] } });
    stopClock();
    const ask = async (at: string) => {
      const headers = { 'cf-connecting-ip': '192.0.2.43' };
      return (await sendUcp('GET', '/.well-known/ucp', { headers }, `https://${at}`)).status;
    };
    expect(await ask(host)).toBe(200);
    for (let n = 0; n < 60; n++) expect(await ask(hostOf())).toBe(404);
    expect(await ask(hostOf())).toBe(429);
    expect(await ask(host)).toBe(200);
    moveClock(1_000);
    expect(await ask(hostOf())).toBe(404);
  });

  it('names the endpoints, every capability that has an operation, and the signing keys', async () => {
    const shop = await ucpShop();
    const { status, headers, body } = await sendUcp('GET', `/ucp/${shop.slug}/.well-known/ucp`);
    expect(status).toBe(200);
    expectOfficial({ $ref: 'https://ucp.dev/discovery/profile.json#/$defs/business_profile' }, body);
    expect(body.ucp.version).toBe('2026-04-08');
    const endpoint = `https://api.example.com/ucp/${shop.slug}`;
    expect(body.ucp.services['dev.ucp.shopping']).toMatchObject([
      { version: '2026-04-08', transport: 'rest', endpoint },
      { version: '2026-04-08', transport: 'mcp', endpoint: `${endpoint}/mcp` },
    ]);
    const roots = new Set(operations.map(({ spec }) => spec.capability));
    expect(Object.keys(body.ucp.capabilities)).toEqual(expect.arrayContaining([...roots]));
    for (const [name, [terms]] of Object.entries<{ spec: string; schema: string }[]>(body.ucp.capabilities)) {
      expect(name).toMatch(/^dev\.ucp\.shopping\./);
      expect(terms?.spec).toMatch(/^https:\/\/ucp\.dev\/2026-04-08\/specification\//);
      expect(terms?.schema).toMatch(/^https:\/\/ucp\.dev\/2026-04-08\/schemas\/shopping\//);
    }
    expect(body.ucp.payment_handlers).toEqual({});
    expect(body.signing_keys).toMatchObject([{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }]);
    expect(body.signing_keys[0].d).toBeUndefined();
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('content-type')).toBe('application/json');
  });

  it("reads a shop's keys once a second, however often strangers ask", async () => {
    const shop = await ucpShop();
    stopClock();
    const bindings = recordedBindings();
    const ask = async () => {
      const path = `/ucp/${shop.slug}/.well-known/ucp`;
      const response = await fetchWith(bindings.env, 'GET', path, null);
      return (await response.json<{ signing_keys: { kid: string }[] }>()).signing_keys[0]?.kid;
    };
    const first = await ask();
    const trips = bindings.databaseTrips();
    for (let n = 0; n < 5; n++) expect(await ask()).toBe(first);
    expect(bindings.databaseTrips()).toBe(trips);
    forgetTenants();
    await ask();
    expect(bindings.databaseTrips()).toBeGreaterThan(trips);
  });

  it('has keys of its own for each shop that is asked for in the same second', async () => {
    const [shop, other] = [await ucpShop(), await ucpShop()];
    stopClock();
    const keyOf = async ({ slug }: { readonly slug: string }): Promise<string> =>
      (await sendUcp('GET', `/ucp/${slug}/.well-known/ucp`)).body.signing_keys[0].kid;
    const first = await keyOf(shop);
    expect(await keyOf(other)).not.toBe(first);
  });

  it('is not sent again to who has it', async () => {
    const shop = await ucpShop();
    const path = `/ucp/${shop.slug}/.well-known/ucp`;
    const etag = (await sendUcp('GET', path)).headers.get('etag') ?? '';
    const again = await sendUcp('GET', path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
    expect(again.headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('is found by the hosts of the settings, until they no longer name it', async () => {
    const host = hostOf();
    const shop = await ucpShop({ ucp: { hosts: [host] } });
    const found = await profileAt(host);
    expect(found.status).toBe(200);
    expect(found.body.ucp.services['dev.ucp.shopping'][0].endpoint).toBe(`https://${host}/ucp/${shop.slug}`);
    expect((await profileAt(hostOf())).status).toBe(404);
    expect((await shop.patch('/settings', { ucp: { enabled: true, hosts: [hostOf()] } })).status).toBe(200);
    forgetTenants();
    expect((await profileAt(host)).status).toBe(404);
  });

  it('is not found by a host that is claimed for settings which were never written', async () => {
    const [shop, host] = [await ucpShop(), hostOf()];
    await env.DB.prepare('INSERT INTO tenant_hosts (host, tenant_id, pending_at) VALUES (?, ?, ?)')
      .bind(host, shop.tenantId, now())
      .run();
    expect((await profileAt(host)).status).toBe(404);
  });

  it('ends when the tenant disables it, and is refused while the tenant is suspended', async () => {
    const shop = await ucpShop();
    const path = `/ucp/${shop.slug}/.well-known/ucp`;
    await admin('PATCH', `/tenants/${shop.slug}`, { status: 'suspended' });
    forgetTenants();
    const suspended = await sendUcp('GET', path);
    expect([suspended.status, suspended.body.code]).toEqual([403, 'tenant_suspended']);
    await admin('PATCH', `/tenants/${shop.slug}`, { status: 'active', plan: 'starter' });
    forgetTenants();
    expect((await sendUcp('GET', path)).status).toBe(404);
  });
});

describe('a host', () => {
  it('belongs to one tenant', async () => {
    const host = hostOf();
    const first = await ucpShop({ ucp: { hosts: [host] } });
    const second = await ucpShop();
    const taken = await second.patch('/settings', { ucp: { enabled: true, hosts: [hostOf(), host] } });
    expect([taken.status, taken.body.code]).toEqual([409, 'host_taken']);
    const slug = `h${crypto.randomUUID().slice(0, 8)}`;
    const third = { slug, name: 'Third', currency: 'EUR', plan: 'growth' };
    const settings = { ucp: { enabled: true, hosts: [host] } };
    const created = await admin('POST', '/tenants', { ...third, settings });
    expect([created.status, created.body.code]).toEqual([409, 'host_taken']);
    // The slug of the refused tenant is free again.
    expect((await admin('POST', '/tenants', third)).status).toBe(201);
    // The same hosts again, and giving one up for another tenant.
    const ucp = { enabled: true, hosts: [host, host.toUpperCase().toLowerCase()] };
    expect((await first.patch('/settings', { ucp })).status).toBe(200);
    expect((await first.patch('/settings', { ucp: { enabled: true } })).status).toBe(200);
    expect((await second.patch('/settings', { ucp: { enabled: true, hosts: [host] } })).status).toBe(200);
  });

  it.each(['https://shop.example.com', 'shop', '127.0.0.1', ''])('is not %j', async (host) => {
    const shop = await world();
    const answer = await shop.patch('/settings', { ucp: { enabled: true, hosts: [host] } });
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_error']);
  });
});
