import { expect, it, vi } from 'vitest';
import { retryOnce } from '../../../src/cart/client/cart-id.ts';

/** Rejects like a call of a Durable Object, every time. */
const failing = (more: object) => vi.fn(() => Promise.reject(Object.assign(new Error('failed'), more)));

it.each([
  ['once more, if it fails', {}, 2],
  ['not again, if it is overloaded: that would add to its load', { overloaded: true }, 1],
])('calls a Cart object %s', async (_, error, calls) => {
  const attempt = failing(error);
  await expect(retryOnce(attempt)).rejects.toThrow('failed');
  expect(attempt).toHaveBeenCalledTimes(calls);
});
