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

describe.each(CHANGES)('%s', (_, spec) => {
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
});
