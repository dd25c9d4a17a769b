import { expect, it } from 'vitest';
import { EventWaiters } from '../../../src/tenants/object/event-waiters.ts';

const wait = { applicationId: 1, after: 0, types: ['order.paid'] };

it('gives the places of calls whose time is over to later ones', async () => {
  const waiters = new EventWaiters();
  const tenCalls = () => Promise.all(Array.from({ length: 10 }, () => waiters.wait({ ...wait, waitMs: 1 })));
  const elapsed = Array.from({ length: 10 }, () => 'elapsed');
  expect(await tenCalls()).toEqual(elapsed);
  expect(await tenCalls()).toEqual(elapsed);
});
