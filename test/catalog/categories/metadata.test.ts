import { afterEach, expect, it, vi } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const thirtyKeys = (prefix: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${prefix}${n}`, 'x']));

it('holds 50 keys when two requests add some at once', async () => {
  const shop = await world();
  const { id } = (await shop.post('/categories', { name: 'Tea' })).body;
  const path = `/categories/${id}`;
  beforeBatch(/UPDATE categories /, async () => {
    expect((await shop.patch(path, { metadata: thirtyKeys('a') })).status).toBe(200);
  });
  const change = { name: 'Teas', metadata: thirtyKeys('b') };
  expectProblem(await shop.patch(path, change), 422, 'validation_error');
  expect((await shop.get(path, NEWEST)).body).toMatchObject({ name: 'Tea', metadata: thirtyKeys('a') });

  // Keys that fit are merged, and all of them can be removed.
  beforeBatch(/UPDATE categories /, async () => {
    expect((await shop.patch(path, { metadata: { a0: null } })).status).toBe(200);
  });
  const merged = await shop.patch(path, { metadata: { b0: 'y' } });
  expect(Object.keys(merged.body.metadata)).toHaveLength(30);
  expect((await shop.patch(path, { metadata: null })).body.metadata).toEqual({});
});

it('is 404 for a category that is deleted meanwhile', async () => {
  const shop = await world();
  for (const headers of [{}, { 'if-match': '"1"' }]) {
    const made = await shop.post('/categories', { name: `Tea ${JSON.stringify(headers)}` });
    const path = `/categories/${made.body.id}`;
    const tag = (await shop.get(path, NEWEST)).headers.get('etag') ?? '';
    beforeBatch(/UPDATE categories /, async () => {
      expect((await shop.delete(path)).status).toBe(204);
    });
    const given = 'if-match' in headers ? { headers: { 'if-match': tag } } : {};
    expectProblem(await shop.patch(path, { metadata: { a: 'b' } }, given), 404, 'category_not_found');
  }
});
