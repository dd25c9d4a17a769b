import { expect } from 'vitest';
import type { World } from '../../support/world.ts';

/** Returns an instant so many milliseconds from now (ISO 8601). */
export const soon = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Creates a coupon: 10 % with the code TEN, unless `body` says otherwise. */
export const createCoupon = async (shop: World, body: object) => {
  const made = await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10, ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made;
};

/** Puts a coupon's code into a cart. */
export const applyCode = (shop: World, token: string, code = 'TEN', headers = {}) =>
  shop.post(`/cart/${token}/coupon`, { code }, { headers });
