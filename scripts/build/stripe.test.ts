/** wrangler.toml leaves parts of Stripe's library out of the bundle: none that the service calls. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, SERVICE } from './bundle.ts';

const payments = join(import.meta.dirname, '../../src/checkout/payments');

/** Returns the methods of Stripe's library that the service calls, such as `refunds.create`. */
function calledMethods(): string[] {
  const sources = readdirSync(payments).map((file) => readFileSync(join(payments, file), 'utf8'));
  const calls = sources.flatMap((source) => [...source.matchAll(/\bstripe\.(\w+(?:\.\w+)+)\(/g)]);
  return [...new Set(calls.flatMap(([, method = '']) => method))].sort();
}

test('the bundle has every method of Stripe’s library that the service calls', async () => {
  const methods = calledMethods();
  assert.ok(methods.includes('checkout.sessions.create'));
  const worker = await run({ ...SERVICE, entry: 'test/support/runtime/stripe-worker.ts' }, 'stripe', {});
  try {
    const query = [...methods, 'subscriptions.create'].map((method) => `method=${method}`).join('&');
    const answer = await fetch(new URL(`/?${query}`, worker.direct));
    assert.deepEqual(await answer.json(), methods);
  } finally {
    await worker.stop();
  }
});
