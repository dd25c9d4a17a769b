import { beforeAll, expect, it } from 'vitest';
import { failStatements } from '../../support/faults/database.ts';
import { asAdmin, type Browser } from '../../support/fixtures/browser.ts';
import {
  advanceAndRunAlarm,
  emitEvent,
  Receiver,
  respondWith,
  subscribe,
  until,
  untilNewestIs,
} from '../../support/fixtures/webhooks.ts';
import { type World, world } from '../../support/world.ts';

let admin: Browser;
beforeAll(async () => {
  admin = await asAdmin();
});

/** What a table of the page says in a tenant's row, by the names of its columns; null when it has none. */
async function rowOf(shop: World, table: string): Promise<Record<string, string> | null> {
  const { html } = await admin.get('/admin/health');
  const [, body = ''] = html.split(`aria-label="${table}"`);
  const row = body
    .split('</section>')[0]
    ?.split('<tr>')
    .find((one) => one.includes(`/admin/tenants/${shop.slug}"`));
  if (!row) return null;
  const cells = row.matchAll(/data-label="([^"]*)"[^>]*>(.*?)<\/td>/g);
  return Object.fromEntries(
    [...cells].map(([, name = '', cell = '']) => [name, cell.replace(/<[^>]*>/g, '')]),
  );
}

const FAIL = 'Failing webhooks';
const PAUSED = 'Automatically paused webhooks';

it('lists a failing webhook with start, count and error, until a delivery succeeds', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  await emitEvent(shop);
  await untilNewestIs(shop, id, 'delivered');
  expect(await rowOf(shop, FAIL)).toBeNull();

  receiver.respond = respondWith(503);
  await emitEvent(shop);
  await untilNewestIs(shop, id, 'failed');
  const first = await until(async () => {
    const row = await rowOf(shop, FAIL);
    expect(row).toMatchObject({ Webhook: String(id), Failures: '1', 'Last error': '503 status_not_2xx' });
    return row;
  });
  receiver.respond = respondWith(500);
  await advanceAndRunAlarm(shop, id, 10_000);
  await until(async () =>
    expect(await rowOf(shop, FAIL)).toEqual({
      ...first,
      Failures: '2',
      'Last error': '500 status_not_2xx',
    }),
  );
  expect(first?.URL).toContain(receiver.host);
  expect(first?.Since).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  expect(admin.last.html).toMatch(/Active webhooks that are failing<\/dt><dd>[1-9]/);

  receiver.respond = respondWith(204);
  await advanceAndRunAlarm(shop, id, 3_600_000);
  await untilNewestIs(shop, id, 'delivered');
  await until(async () => expect(await rowOf(shop, FAIL)).toBeNull());
});

it('clears failures when a webhook gets another URL', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  receiver.respond = respondWith(500);
  await emitEvent(shop);
  await until(async () => expect(await rowOf(shop, FAIL)).not.toBeNull());
  await shop.patch(`/webhooks/${id}`, { url: new Receiver().url });
  await advanceAndRunAlarm(shop, id, 0);
  await until(async () => expect(await rowOf(shop, FAIL)).toBeNull());
});

it('records failures later if the database was unavailable', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  receiver.respond = respondWith(500);
  await emitEvent(shop);
  await until(async () => expect(await rowOf(shop, FAIL)).not.toBeNull());
  // As if what the last run wrote had been lost, and the receiver was well again.
  receiver.respond = respondWith(204);
  const restore = failStatements(/^update "webhooks"/i);
  await advanceAndRunAlarm(shop, id, 10_000);
  await untilNewestIs(shop, id, 'delivered');
  expect(await rowOf(shop, FAIL)).not.toBeNull();
  restore();
  await advanceAndRunAlarm(shop, id, 20_000);
  await until(async () => expect(await rowOf(shop, FAIL)).toBeNull());
});

it('lists a webhook that paused itself only as paused', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  receiver.respond = respondWith(410);
  await emitEvent(shop);
  await until(async () => expect(await rowOf(shop, PAUSED)).toMatchObject({ Webhook: String(id) }));
  expect(await rowOf(shop, FAIL)).toBeNull();
});

it('says that no event waits, not that one has waited since "never"', async () => {
  const { html } = await admin.get('/admin/health');
  const [, oldest] = /Oldest waiting event<\/dt><dd>(.*?)<\/dd>/.exec(html) ?? [];
  expect(oldest).toMatch(/^none$|^<time /);
});
