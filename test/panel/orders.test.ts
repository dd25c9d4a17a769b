import { expect, it } from 'vitest';
import { session } from '../checkout/samples.ts';
import { world } from '../support/world.ts';
import { asDeveloper } from './browser.ts';

const EVIL = '<script>alert(1)</script>';

it('shows an order with what a customer wrote as text, and cancels it', async () => {
  const shop = await world();
  const customer = { name: EVIL, email: 'ada@example.com' };
  const placed = await shop.post('/orders', { session: await session(shop), customer });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/orders/${placed.body.id}`;
  expect((await developer.get('/developer/orders')).html).toContain(`href="${here}"`);
  expect(developer.last.html).not.toContain(EVIL);
  await developer.get(here);
  expect(developer.last.html).toContain('&lt;script&gt;alert(1)');
  expect(developer.last.html).not.toContain(EVIL);
  await developer.submit(`${here}/cancel`, {});
  expect(developer.last.html).toContain('The order is cancelled');
  expect((await shop.get(`/orders/${placed.body.id}`)).body.status).toBe('cancelled');
});

it("does not know another tenant's order", async () => {
  const [mine, theirs] = await Promise.all([world(), world()]);
  const placed = await theirs.post('/orders', { session: await session(theirs) });
  const developer = await asDeveloper(mine.slug);
  expect((await developer.get(`/developer/orders/${placed.body.id}`)).status).toBe(404);
  await developer.get('/developer/theme');
  expect((await developer.post(`/developer/orders/${placed.body.id}/cancel`, {})).status).toBe(404);
  expect((await theirs.get(`/orders/${placed.body.id}`)).body.status).toBe('pending');
});
