import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { endpointOf } from '../../../src/webhooks/delivery/endpoint-client.ts';
import { asDeveloper } from '../../support/fixtures/browser.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { emitEvent, Receiver, respondWith, subscribe } from '../../support/fixtures/webhooks.ts';
import { type World, world } from '../../support/world.ts';

/** What a delivery shows of its attempts: what was sent, and what the receiver answered. */

interface Sent {
  readonly id: number;
  readonly log: readonly { readonly response_body: string | null }[];
  readonly request: { readonly headers: object; readonly body: string };
}

const until = <T>(check: () => Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 50 });

const stub = (shop: World, webhookId: number) => endpointOf(env, { tenantId: shop.tenantId, webhookId });

/** Waits for the latest delivery to have so many ended attempts; returns it with its request. */
function attempted(shop: World, hook: number, attempts: number): Promise<Sent> {
  return until(async () => {
    const [latest] = (await shop.get(`/webhooks/${hook}/deliveries`)).body.data;
    const ended = latest?.log.filter((one: { duration_ms: number | null }) => one.duration_ms !== null);
    expect(ended).toHaveLength(attempts);
    const { body } = await shop.get(`/webhooks/${hook}/deliveries/${latest.id}`);
    return body as Sent;
  });
}

it('shows what was sent, without signature, and what the receiver answered', async () => {
  const shop = await world();
  const receiver = new Receiver();
  receiver.respond = respondWith(500);
  const { id, secret } = await subscribe(shop, receiver.url);
  const eventId = await emitEvent(shop, 'stock.changed', { sku: 'CUP' });
  await attempted(shop, id, 1);
  receiver.respond = () => new Response(`thanks${'!'.repeat(5_000)}`);
  moveClock(MINUTE);
  await runDurableObjectAlarm(stub(shop, id));
  const { log, request } = await attempted(shop, id, 2);
  expect(log).toMatchObject([
    { response_status: 500, error: 'status_not_2xx', response_body: 'answer 500' },
    { response_status: 200, error: null, response_body: `thanks${'!'.repeat(1_018)}` },
  ]);
  expect(request.body).toBe(receiver.received[0]?.body);
  expect(JSON.parse(request.body)).toMatchObject({
    id: eventId,
    type: 'stock.changed',
    data: { sku: 'CUP' },
  });
  expect(request.headers).toEqual({
    'content-type': 'application/json',
    'webhook-id': eventId,
    'user-agent': receiver.received[0]?.headers.get('user-agent'),
  });
  expect(JSON.stringify([log, request])).not.toContain(secret);
});

it('delivers without waiting for a successful body that never ends', async () => {
  const shop = await world();
  const receiver = new Receiver();
  receiver.respond = () =>
    new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('slow')) }));
  const { id } = await subscribe(shop, receiver.url);
  await emitEvent(shop);
  const { log } = await attempted(shop, id, 1);
  expect(log).toMatchObject([{ response_status: 200, error: null, response_body: 'slow' }]);
});

it('keeps the answers of the newest 1,000 attempts', async () => {
  const shop = await world();
  const receiver = new Receiver();
  receiver.respond = respondWith(500);
  const { id } = await subscribe(shop, receiver.url);
  await emitEvent(shop);
  await attempted(shop, id, 1);
  await runInDurableObject(stub(shop, id), (_, { storage }) => {
    storage.sql.exec("UPDATE sqlite_sequence SET seq = seq + 1000 WHERE name = 'attempts'");
  });
  moveClock(MINUTE);
  await runDurableObjectAlarm(stub(shop, id));
  const { log } = await attempted(shop, id, 2);
  expect(log.map((one) => one.response_body)).toEqual([null, 'answer 500']);
});

it('keeps the last 20 attempts of a delivery, however often it is replayed', async () => {
  const shop = await world();
  const { id } = await subscribe(shop, new Receiver().url);
  await emitEvent(shop);
  const first = await attempted(shop, id, 1);
  for (let replays = 1; replays <= 25; replays++) {
    await shop.post(`/webhooks/${id}/deliveries/${first.id}/replay`);
    await until(async () => {
      const [latest] = (await shop.get(`/webhooks/${id}/deliveries`)).body.data;
      expect(latest).toMatchObject({ status: 'delivered', attempts: replays + 1 });
    });
  }
  const rows = await runInDurableObject(stub(shop, id), (_, { storage }) =>
    storage.sql.exec<{ n: number }>('SELECT count(*) AS n FROM attempts').one(),
  );
  expect(rows.n).toBe(20);
  await attempted(shop, id, 20);
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(`/developer/webhooks/${id}/deliveries/${first.id}`);
  expect(html.match(/Attempt \d+/g)).toEqual(['Attempt 26', 'Attempt 25', 'Attempt 24', 'Attempt 23']);
  expect(html).toContain('The last 4 are shown.');
});

it('shows a payload only to who may read its event, and nothing of another tenant', async () => {
  const shop = await world();
  const receiver = new Receiver();
  const { id } = await subscribe(shop, receiver.url, ['customer.created']);
  await registerCustomer(shop);
  const sent = await attempted(shop, id, 1);
  const { token } = await shop.register({ kind: 'integration', scopes: ['webhooks:read'] });
  const path = `/webhooks/${id}/deliveries/${sent.id}`;
  const refused = await shop.get(path, { token });
  expect([refused.status, refused.body.details.required_scope]).toEqual([403, 'customers:admin']);
  expect((await (await world()).get(path)).status).toBe(404);
  expect((await shop.get(`/webhooks/${id}/deliveries/999`)).body.code).toBe('delivery_not_found');
});

it('shows nothing of an erased customer, neither in the payload nor in what the receiver echoed', async () => {
  const shop = await world();
  const receiver = new Receiver();
  receiver.respond = ({ body }) => new Response(body, { status: 200 });
  const { id } = await subscribe(shop, receiver.url, ['customer.created']);
  const ada = await registerCustomer(shop);
  const before = await attempted(shop, id, 1);
  expect(before.request.body).toContain(ada.email);
  expect(before.log[0]?.response_body).toContain(ada.email);
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  const after = (await shop.get(`/webhooks/${id}/deliveries/${before.id}`)).body;
  expect(JSON.stringify(after)).not.toContain(ada.email);
  expect(after.log[0].response_body).toBeNull();
});

it('is a page with each attempt, and the payload as a file', async () => {
  const shop = await world();
  const receiver = new Receiver();
  receiver.respond = () => new Response('<b>broken & "quoted"</b>', { status: 502 });
  const { id } = await subscribe(shop, receiver.url);
  await emitEvent(shop, 'stock.changed', { sku: 'CUP' });
  const sent = await attempted(shop, id, 1);
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/webhooks/${id}/deliveries/${sent.id}`;
  expect((await developer.get(`/developer/webhooks/${id}`)).html).toContain(`href="${here}"`);
  const { html } = await developer.get(here);
  expect(html).toContain('Attempt 1: 502 status not 2xx');
  expect(html).not.toContain('are shown.');
  expect(html).toContain('&lt;b&gt;broken &amp; &quot;quoted&quot;&lt;/b&gt;');
  expect(html).toContain('&quot;sku&quot;: &quot;CUP&quot;');
  const file = await developer.get(`${here}/body`);
  expect(file.html).toBe(sent.request.body);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="evt_\w+\.json"$/);
  expect((await developer.get(`/developer/webhooks/${id}/deliveries/999`)).status).toBe(404);
});
