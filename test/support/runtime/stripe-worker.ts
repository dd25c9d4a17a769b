/** Stripe's library as the service's bundle has it, for its test. This entry is never deployed. */

import Stripe from 'stripe';

export * from '../../../src/index.ts';

export default {
  /** Returns those of the methods `?method=checkout.sessions.create&method=…` that the library has. */
  async fetch(request: Request): Promise<Response> {
    const stripe: unknown = new Stripe('sk_test_bundle');
    const asked = new URL(request.url).searchParams.getAll('method');
    return Response.json(asked.filter((method) => typeof at(stripe, method) === 'function'));
  },
};

const at = (root: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value, name) => (value === undefined ? value : Reflect.get(Object(value), name)), root);
