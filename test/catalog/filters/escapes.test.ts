import { expect, it } from 'vitest';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

it('takes each value of a facet as its filter, wherever a comma or backslash is in it', async () => {
  const shop = await world();
  const tags = ['a,', ',b', 'c,d', 'e\\', '\\f', 'g\\,', ',', 'h,,i'];
  for (const [n, tag] of tags.entries())
    await shop.post('/products', { name: `Mug ${n}`, type: 'simple', price: 1, tags: [tag] });
  const { body } = await shop.get('/products?facets=tag', NEWEST);
  const values: string[] = body.meta.facets.tag.map(({ value }: { value: string }) => value);
  expect(values).toHaveLength(tags.length);
  const total = async (list: string) =>
    (await shop.get(`/products?tag=${encodeURIComponent(list)}`, NEWEST)).body.meta?.total;
  expect(await Promise.all(values.map(total))).toEqual(tags.map(() => 1));
  expect(await total(values.join(','))).toBe(tags.length);
});

it('measures values in characters, as products do', async () => {
  const shop = await world();
  const mood = '🙂'.repeat(255);
  await shop.post('/products', { name: 'Mug', type: 'simple', price: 1, attributes: { mood } });
  const found = async (value: string) => shop.get(`/products?attr.mood=${encodeURIComponent(value)}`, NEWEST);
  expect((await found(mood)).body.meta).toMatchObject({ total: 1 });
  expect((await found(`${mood}🙂`)).body.errors).toEqual({
    'attr.mood': ['must have values of at most 255 characters'],
  });
});
