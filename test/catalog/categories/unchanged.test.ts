import { expect, it } from 'vitest';
import { catalogVersion, countEvents } from '../../support/fixtures/catalog/imports.ts';
import { world } from '../../support/world.ts';

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
