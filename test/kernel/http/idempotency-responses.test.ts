import { afterEach, describe, expect, it, vi } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { beforeBatch, failStatements, loseResponse, STORES_RESPONSE } from '../../support/faults/database.ts';
import { holdJsonBody } from '../../support/faults/slow-request.ts';
import { admin, register, send, world } from '../../support/world.ts';
import { create, howMany, keyed, shirt } from './keyed-products.ts';

const INSERTS = /insert into "?products/i;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a response', () => {
  it('of 422, 401, 403 or 429 is not stored', async () => {
    const shop = await world();
    expect((await create(shop, 'one', { name: 'Shirt' })).status).toBe(422);
    expect((await create(shop, 'one')).status).toBe(201);
    const reader = await register(shop.slug, { kind: 'storefront' });
    const asReader = () =>
      send('POST', '/v1/products', { token: reader.token, body: { ...shirt, sku: 'B' }, ...keyed('two') });
    expect((await asReader()).status).toBe(403);
    await admin('PATCH', `/tenants/${shop.slug}/applications/${reader.id}`, { scopes: ['catalog:write'] });
    moveClock(2_000);
    expect((await asReader()).status).toBe(201);
    await admin('PATCH', `/tenants/${shop.slug}/applications/${reader.id}`, { rate_limit_per_minute: 1 });
    moveClock(2_000);
    const third = () =>
      send('POST', '/v1/products', { token: reader.token, body: { ...shirt, sku: 'C' }, ...keyed('three') });
    expect((await third()).status).toBe(429);
    moveClock(64_000);
    expect((await third()).status).toBe(201);
  });

  it('of 404 or 409 is stored', async () => {
    const shop = await world();
    await create(shop, 'one');
    const taken = { name: 'Other', type: 'simple', price: 1, slug: 'shirt' };
    const first = await create(shop, 'two', taken);
    expect([first.status, first.body.code]).toEqual([409, 'slug_taken']);
    const second = await create(shop, 'two', taken);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
    // The same answer to another request.
    expectProblem(second, 409, 'slug_taken');
    expect({ ...second.body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
    expect(second.body.request_id).not.toBe(first.body.request_id);
  });

  it('of 408 is not stored', async () => {
    const shop = await world();
    const late = await holdJsonBody('POST', '/v1/products', shop.token, shirt, { 'idempotency-key': 'one' });
    moveClock(31_000);
    expect((await late()).status).toBe(408);
    const again = await create(shop, 'one');
    expect([again.status, again.headers.has('idempotent-replayed')]).toEqual([201, false]);
  });

  it('of 5xx is not stored: what failed before its effect can be retried immediately', async () => {
    const shop = await world();
    const restore = failStatements(INSERTS);
    const failed = await create(shop, 'one');
    restore();
    expect([failed.status, failed.body.code]).toEqual([503, 'unavailable']);
    expect((await create(shop, 'one')).status).toBe(201);
    expect(await howMany(shop)).toBe(1);
  });
});

describe('after a crash', () => {
  it('the retry finds the committed effect, although the batch seemed to fail', async () => {
    const shop = await world();
    loseResponse(INSERTS);
    const lost = await create(shop, 'one');
    expect(lost.status).toBe(503);
    const retry = await create(shop, 'one');
    expect([retry.status, retry.headers.has('idempotent-replayed')]).toEqual([201, false]);
    expect((await create(shop, 'one')).body.id).toBe(retry.body.id);
    expect(await howMany(shop)).toBe(1);
  });

  it('between effect and response, the retry waits for the lock and then returns the same resource', async () => {
    const shop = await world();
    const restore = failStatements(STORES_RESPONSE);
    const first = await create(shop, 'one');
    restore();
    expect(first.status).toBe(201);
    const early = await create(shop, 'one');
    expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_progress']);
    expect(early.headers.get('retry-after')).toBe('1');
    moveClock(31_000);
    const retry = await create(shop, 'one');
    expect([retry.status, retry.body.id]).toEqual([201, first.body.id]);
    expect((await create(shop, 'one')).headers.get('idempotent-replayed')).toBe('true');
    expect(await howMany(shop)).toBe(1);
  });

  it('a run that outlasts its lock writes nothing once another has taken over', async () => {
    const shop = await world();
    let taken: Awaited<ReturnType<typeof create>> | undefined;
    beforeBatch(INSERTS, async () => {
      moveClock(31_000);
      taken = await create(shop, 'one');
    });
    const first = await create(shop, 'one');
    expect(taken?.status).toBe(201);
    expect(first.status).toBe(409);
    expect(await howMany(shop)).toBe(1);
    expect((await create(shop, 'one')).body).toEqual(taken?.body);
  });
});
