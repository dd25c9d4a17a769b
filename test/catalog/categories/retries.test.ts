import { afterEach, expect, it, vi } from 'vitest';
import { beforeBatch, loseResponse } from '../../support/faults/database.ts';
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

it('takes "If-Match: *" for any version, also for one that is written meanwhile', async () => {
  const shop = await world();
  const { id } = (await shop.post('/categories', { name: 'Tea' })).body;
  const any = { headers: { 'if-match': '*' } };
  const rename = () => shop.patch(`/categories/${id}`, { description: 'From China' });
  const afterRename = (like: RegExp) =>
    beforeBatch(like, async () => {
      expect((await rename()).status).toBe(200);
    });
  afterRename(/UPDATE categories /);
  const renamed = await shop.patch(`/categories/${id}`, { name: 'Teas' }, any);
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Teas']);
  afterRename(/DELETE FROM categories /);
  expect((await shop.delete(`/categories/${id}`, any)).status).toBe(204);
});
