import { expect, it } from 'vitest';
import { createPosters } from '../../support/fixtures/catalog/large-products.ts';
import { largestResponse } from '../../support/storage/database-usage.ts';
import { type Answer, world } from '../../support/world.ts';

it('changes as many large products at once as fit into memory, and names the others', async () => {
  const shop = await world();
  const ids = await createPosters(shop, 24);
  const hide = async (some: readonly number[]): Promise<Answer['body']> => {
    const { status, body } = await shop.post('/products/bulk', { ids: some, change: { status: 'inactive' } });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  let first: Answer['body'];
  expect(await largestResponse(async () => (first = await hide(ids)))).toBeLessThan(10_000_000);
  const left: number[] = first.errors.map(({ id }: { id: number }) => id);
  expect(left.length).toBeGreaterThan(0);
  expect(first).toMatchObject({ updated: 24 - left.length, unchanged: 0 });
  expect(first.errors[0]).toEqual({
    id: left[0],
    code: 'validation_error',
    message:
      'It is too large to be changed together with the products before it: name it in a request of its own.',
  });
  expect(await hide(left)).toMatchObject({ updated: left.length, errors: [] });
});
