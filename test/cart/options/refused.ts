import { expect } from 'vitest';
import { tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import type { Answer, World } from '../../support/world.ts';

/** Asserts a 422 that names this option. */
export async function refused(shop: World, seen: Answer, options: unknown, field: string, message: RegExp) {
  const answer = await tryAddToCart(shop, seen, options === undefined ? {} : { options });
  expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([422, 'validation_error']);
  expect(Object.keys(answer.body.errors)).toEqual([field]);
  expect(answer.body.errors[field][0]).toMatch(message);
}
