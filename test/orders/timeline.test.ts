import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { databaseOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { shop3 } from './shipped-order.ts';

const TRACKING = { carrier: 'DHL', number: '0034', url: 'https://dhl.example.com/0034' };

it('keeps a timeline of what happened and who did it', async () => {
  const { shop, path } = await shop3();
  const made = (await shop.post(`${path}/fulfilments`, { tracking: TRACKING })).body;
  await shop.patch(`${path}/fulfilments/${made.id}`, { status: 'delivered' });
  await shop.patch(path, { tags: ['gift', 'gift'], metadata: { invoice: '1' } });
  await shop.patch(path, { tags: ['gift'] });
  const { data } = (await shop.get(`${path}/timeline`)).body;
  const by = { kind: 'application', id: expect.stringMatching(/^\d+$/) };
  expect(data.map(({ at, ...entry }: { at: string }) => entry)).toEqual([
    { type: 'placed', by: { kind: 'system' }, details: {} },
    { type: 'paid', by: { kind: 'provider', id: 'sandbox' }, details: { provider: 'sandbox' } },
    { type: 'fulfilled', by, details: { fulfilment_id: made.id, items: [{ line_id: 1, quantity: 3 }] } },
    {
      type: 'edited',
      by,
      details: { changed: ['fulfilments'], fulfilment_id: made.id, status: 'delivered' },
    },
    { type: 'edited', by, details: { changed: ['metadata', 'tags'] } },
  ]);
  expect(JSON.stringify(data)).not.toContain(TRACKING.number);
});

it('keeps the latest 200 entries of a timeline', async () => {
  const { shop, id, path } = await shop3();
  await databaseOf(
    shop,
  ).run(sql`INSERT INTO order_timeline (tenant_id, order_id, id, at, type, actor_kind, details)
    SELECT ${shop.tenantId}, ${id}, value + 3, 0, 'edited', 'system', '{}' FROM json_each(${JSON.stringify([...Array(198).keys()])})`);
  await shop.patch(path, { tags: ['last'] });
  const { data } = (await shop.get(`${path}/timeline`)).body;
  expect(data).toHaveLength(200);
  expect([data[0].type, data.at(-1).details]).toEqual(['paid', { changed: ['tags'] }]);
});

it('rewrites only the entries that have personal data when the buyer is erased', async () => {
  const { shop, id, path } = await shop3();
  await shop.post(`${path}/notes`, { text: 'Call Mrs Lovelace' });
  await databaseOf(
    shop,
  ).run(sql`INSERT INTO order_timeline (tenant_id, order_id, id, at, type, actor_kind, details)
    SELECT ${shop.tenantId}, ${id}, value + 10, 0, 'edited', 'system', '{}' FROM json_each(${JSON.stringify([...Array(150).keys()])})`);
  const { written } = await measureDatabase(async () => {
    expect((await shop.delete(`${path}/personal-data`)).status).toBe(204);
  });
  expect(written).toBeLessThan(100);
  expect(JSON.stringify((await shop.get(`${path}/timeline`)).body)).not.toContain('Lovelace');
});
