import { expect, it } from 'vitest';
import { retryOnce } from '../../../src/cart/client/cart-id.ts';
import { retry } from '../../../src/kernel/async/retry.ts';

/** Returns a call that always fails with an error of these properties, and how often it was called. */
function failing(properties: object = {}) {
  const calls = { count: 0 };
  const call = async () => {
    calls.count += 1;
    throw Object.assign(new Error('The object failed'), properties);
  };
  return { call, calls };
}

it('calls an object that fails three times, and once more where the caller needs its response', async () => {
  const [noted, needed] = [failing(), failing()];
  expect(await retry(noted.call)).toBe(false);
  expect(noted.calls.count).toBe(3);
  expect(await retryOnce(needed.call).catch(String)).toContain('The object failed');
  expect(needed.calls.count).toBe(2);
});

it('leaves an object alone that is overloaded', async () => {
  const [noted, needed] = [failing({ overloaded: true }), failing({ overloaded: true })];
  expect(await retry(noted.call)).toBe(false);
  expect(noted.calls.count).toBe(1);
  expect(await retryOnce(needed.call).catch(String)).toContain('The object failed');
  expect(needed.calls.count).toBe(1);
});
