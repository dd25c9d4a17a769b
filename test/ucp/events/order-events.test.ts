import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { expectOfficialBody } from '../../support/contract/ucp-schemas.ts';
import {
  agentShop,
  BUYER,
  buyingAgent,
  HOME,
  payOnPage,
  published,
  ready,
} from '../../support/fixtures/agents/agent.ts';
import {
  agentOf,
  EVERY_CAPABILITY,
  sendUcp,
  servePlatform,
  UCP_VERSION,
} from '../../support/fixtures/agents/agent-shop.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { registerCustomer } from '../../support/fixtures/selling/customers.ts';
import { Receiver, until } from '../../support/fixtures/webhooks.ts';
import type { Received } from '../../support/runtime/internet.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

const ORDER = 'dev.ucp.shopping.order';

/** The options of a platform that takes the events of orders. */
const following = ({ url }: Receiver) => ({
  capabilities: {
    ...EVERY_CAPABILITY,
    [ORDER]: [{ version: UCP_VERSION, config: { webhook_url: url } }],
  },
});

/** A shop, and an order of one cup that an agent's buyer has paid. */
async function boughtBy(receiver: Receiver) {
  const shop = await agentShop('REST', { platform: following(receiver) });
  const cup = (await stockedProduct(shop)).body.id;
  published();
  const checkout = await shop.agent.checkout.create(ready(`p${cup}`));
  await payOnPage(checkout.body.continue_url);
  const { body } = await shop.agent.checkout.get(checkout.body.id);
  return { ...shop, cup, orderId: body.order.id as string };
}

const platformRows = async (shop: World) =>
  (
    await storeOf(shop)
      .prepare('SELECT id, url, ends_at FROM webhooks WHERE tenant_id = ? AND agent IS NOT NULL')
      .bind(shop.tenantId)
      .all<{ id: number; url: string; ends_at: number }>()
  ).results;

/** The object that delivers to a platform. */
const endpointOf = ({ tenantId }: World, row: { readonly id: number } | undefined) =>
  env.WEBHOOK_ENDPOINT.getByName(`${tenantId}:${row?.id}`);

/**
 * Verifies an event as a platform would, with the runtime's crypto and nothing of ours: the digest, and the signature
 * over a base that is built by hand, with the key of the profile that UCP-Agent names.
 */
async function verifiedOrder(received: Received) {
  const { headers, body, url } = received;
  const digest = createHash('sha256').update(body).digest('base64');
  expect(headers.get('content-digest')).toBe(`sha-256=:${digest}:`);
  const [, list = '', keyid] =
    /^sig1=\((.*)\);created=\d+;keyid="([^"]+)"$/.exec(headers.get('signature-input') ?? '') ?? [];
  const names = list.split(' ').map((name) => name.slice(1, -1));
  expect(names).toEqual(
    expect.arrayContaining([
      ...['@method', '@authority', '@path', 'content-digest', 'content-type', 'ucp-agent'],
      'idempotency-key',
    ]),
  );
  const { host, pathname } = new URL(url);
  const derived: Record<string, string> = { '@method': 'POST', '@authority': host, '@path': pathname };
  const lines = names.map((name) => `"${name}": ${derived[name] ?? headers.get(name)}`);
  const params = headers.get('signature-input')?.slice('sig1='.length);
  const base = [...lines, `"@signature-params": ${params}`].join('\n');
  const [, profile = ''] = /^profile="(.+)"$/.exec(headers.get('ucp-agent') ?? '') ?? [];
  const published = await sendUcp('GET', new URL(profile).pathname);
  const jwk = published.body.signing_keys.find(({ kid }: { kid: string }) => kid === keyid);
  const signature = Buffer.from(headers.get('signature')?.slice('sig1=:'.length, -1) ?? '', 'base64');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const isSigned = await crypto.subtle.verify(algorithm, key, signature, new TextEncoder().encode(base));
  expect(isSigned, base).toBe(true);
  return JSON.parse(body);
}

describe("an order's event", () => {
  it('arrives at the platform, signed with the key of the profile', async () => {
    const receiver = new Receiver();
    const shop = await boughtBy(receiver);
    await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(2));
    const [created] = receiver.received;
    if (!created) throw new Error('No event');
    expect(created.headers.get('webhook-id')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(created.headers.get('idempotency-key')).toBe(created.headers.get('webhook-id'));
    expect(created.headers.get('webhook-timestamp')).toMatch(/^\d{10}$/);
    expect(created.headers.get('ucp-agent')).toBe(
      `profile="https://api.example.com/ucp/${shop.slug}/.well-known/ucp"`,
    );
    expect(created.redirect).toBe('manual');
    for (const received of receiver.received) {
      const order = await verifiedOrder(received);
      expectOfficialBody('get_order', ORDER, order);
      expect(order.ucp).toEqual({
        version: UCP_VERSION,
        status: 'success',
        capabilities: { [ORDER]: [{ version: UCP_VERSION }] },
      });
      // The whole order, as get_order returns it.
      expect(order).toMatchObject({
        id: shop.orderId,
        currency: 'EUR',
        line_items: [{ id: expect.any(String) }],
      });
    }
    expect(new Set(receiver.ids).size).toBe(receiver.ids.length);
  });

  it('shows the order as it is now: parcels and refunds', async () => {
    const receiver = new Receiver();
    const shop = await boughtBy(receiver);
    await shop.post(`/orders/${shop.orderId}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
    await until(async () => {
      const last = receiver.received.at(-1);
      expect(last && JSON.parse(last.body).fulfillment.events).toHaveLength(1);
    });
    const last = receiver.received.at(-1);
    expect(last && (await verifiedOrder(last))).toEqual((await shop.agent.order(shop.orderId)).body);
  });

  it('is retried until the platform takes it, under the same id and newly signed', async () => {
    const receiver = new Receiver();
    receiver.respond = () => new Response('later', { status: 500 });
    const shop = await boughtBy(receiver);
    await until(() => expect(receiver.received).toHaveLength(1));
    receiver.respond = () => Response.json({});
    const [row] = await platformRows(shop);
    moveClock(HOUR);
    await runDurableObjectAlarm(endpointOf(shop, row));
    await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(3));
    expect(receiver.ids[1]).toBe(receiver.ids[0]);
    const [first, second] = receiver.received.map(({ headers }) => headers.get('signature-input'));
    expect(second).not.toBe(first);
    for (const received of receiver.received) await verifiedOrder(received);
  });

  it("goes to no other platform, and a shopper's order to none", async () => {
    const [receiver, other] = [new Receiver(), new Receiver()];
    const shop = await boughtBy(receiver);
    const stranger = buyingAgent(agentOf(shop, servePlatform(following(other))), 'REST');
    expect((await stranger.checkout.create(ready(`p${shop.cup}`))).status).toBe(201);
    expect(await platformRows(shop)).toHaveLength(2);
    await shop.post(`/orders/${shop.orderId}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
    await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(3));
    expect(other.received).toEqual([]);
  });

  it('is not sent to a platform without a URL for it', async () => {
    const shop = await agentShop('REST');
    const cup = (await stockedProduct(shop)).body.id;
    published();
    await shop.agent.checkout.create({ ...ready(`p${cup}`), buyer: BUYER });
    expect(await platformRows(shop)).toEqual([]);
  });
});

describe("a platform's webhook", () => {
  it("is not one of the tenant's: neither listed nor counted", async () => {
    const receiver = new Receiver();
    const shop = await boughtBy(receiver);
    const [row] = await platformRows(shop);
    expect((await shop.get('/webhooks')).body.data).toEqual([]);
    expect((await shop.delete(`/webhooks/${row?.id}`)).status).toBe(404);
    const { results } = await storeOf(shop)
      .prepare("SELECT total FROM quota_counts WHERE tenant_id = ? AND quota = 'webhooks'")
      .bind(shop.tenantId)
      .all<{ total: number }>();
    expect(results[0]?.total ?? 0).toBe(0);
    await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(1));
  });

  it('holds no data of a customer who was erased', async () => {
    const receiver = new Receiver();
    const shop = await boughtBy(receiver);
    await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(2));
    const ada = await registerCustomer(shop);
    await storeOf(shop)
      .prepare('UPDATE orders SET customer_id = ? WHERE tenant_id = ? AND id = ?')
      .bind(ada.id, shop.tenantId, shop.orderId)
      .run();
    const [row] = await platformRows(shop);
    const held = () =>
      runInDurableObject(endpointOf(shop, row), (_, { storage }) =>
        JSON.stringify(storage.sql.exec('SELECT body FROM deliveries').toArray()),
      );
    expect(await held()).toContain(HOME.street_address);
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
    expect(await held()).not.toContain(HOME.street_address);
  });

  it('is kept for 180 days after an event, and follows the URL of the profile', async () => {
    const receiver = new Receiver();
    const shop = await boughtBy(receiver);
    await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(2));
    await until(async () => {
      const [row] = await platformRows(shop);
      expect((row?.ends_at ?? 0) - Date.now()).toBeGreaterThan(170 * DAY);
    });
    await shop.agent.checkout.create(ready(`p${shop.cup}`));
    expect((await platformRows(shop)).map(({ url }) => url)).toEqual([receiver.url]);
  });
});
