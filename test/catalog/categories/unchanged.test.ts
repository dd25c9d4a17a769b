import { afterEach, expect, it, vi } from 'vitest';
import { beforeBatch } from '../../support/faults/database.ts';
import { catalogVersion, countEvents } from '../../support/fixtures/catalog/imports.ts';
import { world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('is changed once by two requests that set the same at once', async () => {
  const shop = await world();
  const path = `/categories/${(await shop.post('/categories', { name: 'Tea' })).body.id}`;
  const events = await countEvents(shop);
  let first = await shop.get(path);
  beforeBatch(/UPDATE categories /, async () => {
    first = await shop.patch(path, { name: 'Teas' });
  });
  const second = await shop.patch(path, { name: 'Teas' });
  expect([second.status, second.body]).toEqual([200, first.body]);
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  expect(await countEvents(shop)).toBe(events + 1);
});

it('keeps what two requests set at once of different fields', async () => {
  const shop = await world();
  const path = `/categories/${(await shop.post('/categories', { name: 'Tea' })).body.id}`;
  beforeBatch(/UPDATE categories /, async () => {
    expect((await shop.patch(path, { description: 'Leaves' })).status).toBe(200);
  });
  const { status, body } = await shop.patch(path, { name: 'Teas' });
  expect([status, body]).toMatchObject([200, { name: 'Teas', description: 'Leaves' }]);
});

it('changes neither the category nor the catalogue version when it sets what is set already', async () => {
  const shop = await world();
  const fields = { name: 'Tea', seo: { title: 'Tea' }, metadata: { a: '1' }, hidden: false };
  const made = await shop.post('/categories', fields);
  const before = [await catalogVersion(shop), await countEvents(shop)];
  for (const patch of [fields, { slug: 'tea', parent_id: null }, {}]) {
    const same = await shop.patch(`/categories/${made.body.id}`, patch);
    expect([same.status, same.body]).toEqual([200, made.body]);
    expect(same.headers.get('etag')).toBe(made.headers.get('etag'));
    expect(same.headers.get('x-catalog-version')).toBe(String(before[0]));
  }
  expect([await catalogVersion(shop), await countEvents(shop)]).toEqual(before);
  const renamed = await shop.patch(`/categories/${made.body.id}`, { name: 'Teas' });
  expect([renamed.body.name, renamed.headers.get('etag')]).not.toContain(made.headers.get('etag'));
});
