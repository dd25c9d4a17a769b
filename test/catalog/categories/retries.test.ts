import { afterEach, expect, it, vi } from 'vitest';
import { loseResponse } from '../../support/faults/database.ts';
import { catalogVersion } from '../../support/fixtures/catalog/imports.ts';
import { world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('returns the version of a creation whose response was lost', async () => {
  const shop = await world();
  await shop.post('/categories', { name: 'Tea' });
  const headers = { 'idempotency-key': crypto.randomUUID() };
  loseResponse(/INSERT INTO categories /);
  expect((await shop.post('/categories', { name: 'Coffee' }, { headers })).status).toBe(503);
  const retry = await shop.post('/categories', { name: 'Coffee' }, { headers });
  expect([retry.status, retry.body.name]).toEqual([201, 'Coffee']);
  expect(retry.headers.get('x-catalog-version')).toBe(String(await catalogVersion(shop)));
});
