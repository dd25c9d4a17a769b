import { expect } from 'vitest';
import { asDeveloper, fill } from '../../../support/fixtures/browser.ts';
import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import { world } from '../../../support/world.ts';

export async function editor(body: object) {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const made = await createProduct(shop, body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/products/${made.body.id}`;
  const save = (section: string, changes: Record<string, string | string[]>) =>
    fill(developer, here + section, here + section, changes);
  return { shop, developer, here, save, id: made.body.id as number, product: made.body };
}
