import { describe, expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { call, endpointsUnderTest, named, paramsOf } from '../support/contract/endpoint-calls.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { type Answer, type World, world } from '../support/world.ts';

const CHANGES = named(endpointsUnderTest.filter(({ method }) => method === 'patch'));

/** The tenant's catalogue version, without which all that is cached is current. */
const versionOf = (shop: World) =>
  storeOf(shop)
    .prepare('SELECT catalog_version FROM tenants WHERE id = ?')
    .bind(shop.tenantId)
    .first<number>('catalog_version');

/** What tells clients that something has changed. */
const marksOf = async (shop: World, { body, headers }: Answer) => ({
  version: await versionOf(shop),
  updatedAt: body.updated_at,
  etag: headers.get('etag'),
});

/** Fields that count as a change although they stay as they are, and why. */
const ALWAYS_CHANGE: Readonly<Record<string, readonly string[]>> = {
  // The receiver's failures are forgotten.
  'PATCH /v1/webhooks/{id}': ['url', 'status'],
  // What is the default becomes the tenant's own.
  'PATCH /v1/theme/options': ['colors', 'homepage_sections'],
};

describe.each(CHANGES)('%s', (name, spec) => {
  it('changes nothing with what is there already, nor without fields', async () => {
    const shop = await world();
    const params = await paramsOf(spec, shop);
    const first = await call(spec, shop, params);
    expect(first.status).toBe(200);
    const before = await marksOf(shop, first);
    moveClock(1_000);
    const again = await call(spec, shop, params);
    expect(again.status).toBe(200);
    expect(await marksOf(shop, again), 'the same').toEqual(before);
    const empty = await call(spec, shop, params, { body: {} });
    if (empty.status === 422) return;
    expect(empty.status).toBe(200);
    expect(await marksOf(shop, empty), 'nothing').toEqual(before);
  });

  it('changes nothing with any of the fields as the response has them', async () => {
    const shop = await world();
    const params = await paramsOf(spec, shop);
    const first = await call(spec, shop, params);
    const before = await marksOf(shop, first);
    moveClock(1_000);
    for (const [field, value] of Object.entries(first.body)) {
      if (ALWAYS_CHANGE[name]?.includes(field)) continue;
      const again = await call(spec, shop, params, { body: { [field]: value } });
      // Refused: what is read only, and what only goes with others.
      expect([200, 422], `${field}: ${JSON.stringify(again.body)}`).toContain(again.status);
      if (again.status === 200) expect(await marksOf(shop, again), field).toEqual(before);
    }
  });
});
