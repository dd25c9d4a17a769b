import { expect, it } from 'vitest';
import { plansOf } from '../../../../support/storage/query-plans.ts';
import { paidCups } from '../paid-cups.ts';

it("shows an order's pictures without reading what else the shop sells", async () => {
  const { developer, here } = await paidCups();
  const plans = await plansOf(async () => {
    expect((await developer.get(here)).status).toBe(200);
  });
  // A plan that has only the tenant's id to search by reads the whole catalogue.
  const whole = [...plans.values()]
    .flat()
    .filter((step) => /(products|variants)_\w+ \(tenant_id=\?\)$/.test(step));
  expect(whole).toEqual([]);
});
