/** The webhooks of platforms have a bound and an end. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { endpointOf } from '../../../src/webhooks/delivery/endpoint-client.ts';
import { followPlatform } from '../../../src/webhooks/index.ts';
import { MAX_PLATFORMS } from '../../../src/webhooks/registrations/agent-platforms.ts';
import { runCron } from '../../support/cron.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

/** Creates a tenant; returns how it follows platforms by number, and the profiles of those that it follows. */
async function followingShop() {
  const { tenantId } = await world();
  const ctx = tenantContext({ env, ctx: { waitUntil: () => undefined } }, tenantId);
  const profileOf = (number: number) => `https://agent-${number}.example/profile.json`;
  const follow = (number: number) =>
    followPlatform(ctx, {
      profile: profileOf(number),
      site: `agent-${number}.example`,
      business: 'https://api.example.com/ucp/shop/.well-known/ucp',
      url: `https://agent-${number}.example/orders`,
    });
  const followed = async () => {
    const { results } = await storeOf({ tenantId })
      .prepare(
        "SELECT agent ->> 'profile' AS profile FROM webhooks WHERE tenant_id = ? AND agent IS NOT NULL",
      )
      .bind(tenantId)
      .all<{ profile: string }>();
    return results.map(({ profile }) => profile);
  };
  /** Fills all places but `left` with platforms that had an order within the last days, each of another domain. */
  const fill = async (left: number, site = "'filled-' || value") => {
    await follow(0);
    await storeOf({ tenantId })
      .prepare(
        `INSERT INTO webhooks (tenant_id, url, events, ordered, status, agent, filter, ref, secret, secret_tail,
         created_at, updated_at, ends_at)
       SELECT tenant_id, url, events, ordered, status, json_set(agent, '$.profile', 'filled-' || value,
         '$.site', ${site}), filter,
         ref || value, secret, secret_tail, created_at, updated_at, ? + value
       FROM webhooks, json_each(?) WHERE tenant_id = ? AND agent IS NOT NULL`,
      )
      .bind(
        now() + 100 * DAY,
        JSON.stringify(Array.from({ length: MAX_PLATFORMS - 1 - left }, (_, n) => n)),
        tenantId,
      )
      .run();
  };
  /** Returns the object of the only platform's webhook. */
  const objectOfFirst = async () => {
    const [row] = await storeOf({ tenantId })
      .prepare('SELECT id FROM webhooks WHERE tenant_id = ?')
      .bind(tenantId)
      .all<{ id: number }>()
      .then(({ results }) => results);
    return endpointOf(env, { tenantId, webhookId: row?.id ?? 0 });
  };
  return { tenantId, follow, followed, fill, profileOf, objectOfFirst };
}

it('are bounded: of platforms without orders the one that ends first is evicted', async () => {
  const { follow, followed, fill, profileOf } = await followingShop();
  await fill(1);
  expect(await followed()).toHaveLength(MAX_PLATFORMS - 1);
  moveClock(1_000);
  await follow(1);
  expect(await followed()).toHaveLength(MAX_PLATFORMS);
  moveClock(1_000);
  await follow(2);
  const profiles = await followed();
  expect(profiles).toHaveLength(MAX_PLATFORMS);
  expect(profiles).toEqual(expect.arrayContaining([profileOf(1), profileOf(2)]));
  expect(profiles).not.toContain(profileOf(0));
});

it('evicts platforms of the domain that has the most, so that other domains keep theirs', async () => {
  const { follow, followed, fill, profileOf } = await followingShop();
  await fill(0, "'shopper.example'");
  for (const number of [1, 2, 3]) await follow(number);
  const profiles = await followed();
  expect(profiles).toHaveLength(MAX_PLATFORMS);
  expect(profiles).toEqual(expect.arrayContaining([0, 1, 2, 3].map(profileOf)));
});

it('end eight days after a checkout without an order, by the chore', async () => {
  const { follow, followed, profileOf } = await followingShop();
  await follow(1);
  moveClock(7 * DAY);
  await follow(2);
  await runCron();
  expect(await followed()).toHaveLength(2);
  moveClock(2 * DAY);
  await runCron();
  expect(await followed()).toEqual([profileOf(2)]);
});

it('leave nothing in their objects once they have ended, even if they never had an event', async () => {
  const { follow, followed, objectOfFirst } = await followingShop();
  await follow(1);
  const object = await objectOfFirst();
  moveClock(9 * DAY);
  await runCron();
  expect(await followed()).toEqual([]);
  moveClock(30 * DAY);
  await runDurableObjectAlarm(object);
  expect(await runInDurableObject(object, (_, { storage }) => [...storage.kv.list()])).toEqual([]);
});

/** Stores a delivery with a buyer's data in a webhook's object; returns what is left of it. */
async function withDelivery(object: DurableObjectStub) {
  await runInDurableObject(object, (_, { storage }) => {
    storage.sql.exec(
      `INSERT INTO deliveries (eventId, type, body, occurredAt, createdAt, status)
       VALUES ('evt_1', 'order.paid', '{"email":"ada@example.com"}', ?1, ?1, 'delivered')`,
      now(),
    );
  });
  return () =>
    runInDurableObject(object, (_, { storage }) => storage.sql.exec('SELECT body FROM deliveries').toArray());
}

it('leave nothing in their objects once they have been evicted, where no erasure finds it', async () => {
  const { follow, followed, fill, profileOf, objectOfFirst } = await followingShop();
  await follow(0);
  const kept = await withDelivery(await objectOfFirst());
  await fill(0);
  moveClock(1_000);
  await follow(1);
  expect(await followed()).not.toContain(profileOf(0));
  expect(await kept()).toEqual([]);
});

it('leave nothing in their objects once they have ended, where no erasure finds it', async () => {
  const { follow, followed, objectOfFirst } = await followingShop();
  await follow(1);
  moveClock(5 * DAY);
  const kept = await withDelivery(await objectOfFirst());
  await runCron();
  expect(await kept()).toHaveLength(1);
  moveClock(4 * DAY);
  await runCron();
  expect(await followed()).toEqual([]);
  expect(await kept()).toEqual([]);
});

it('get the events that came after they were first followed, from their next checkout on', async () => {
  const { tenantId, follow } = await followingShop();
  const run = (query: string) => storeOf({ tenantId }).prepare(query).bind(tenantId);
  const events = () => run('SELECT events FROM webhooks WHERE tenant_id = ?').first<string>('events');
  await follow(1);
  const all = await events();
  expect(all).toContain('order.tracking_changed');
  await run(`UPDATE webhooks SET events = '["order.created","order.fulfilled"]' WHERE tenant_id = ?`).run();
  await follow(1);
  expect(await events()).toBe(all);
});
