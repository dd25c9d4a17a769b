import { expect, it, vi } from 'vitest';
import { session } from '../checkout/samples.ts';
import { asDeveloper } from '../support/fixtures/browser.ts';
import { registerCustomer } from '../support/fixtures/selling/customers.ts';
import { world } from '../support/world.ts';

it('says that a list has fewer pages, instead of calling it empty', async () => {
  const shop = await world();
  await shop.post('/products', { name: 'Mug', type: 'simple', price: 12 });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer/products?page=99');
  expect(html).toContain('There is no page 99.');
  expect(html).toMatch(/href="\/developer\/products\?page=1">Go to the last page, 1</);
  expect(html).not.toContain('No products');
});

it('says so of orders, applications, customers, deliveries and the request log', async () => {
  const shop = await world();
  await shop.post('/orders', { session: await session(shop) });
  await registerCustomer(shop);
  const hook = { url: 'https://hooks.example.com/a', events: ['order.paid'] };
  const { id } = (await shop.post('/webhooks', hook)).body;
  await shop.post(`/webhooks/${id}/ping`);
  const developer = await asDeveloper(shop.slug);
  const log = `request-log?application=${shop.applicationId}&`;
  const lists = ['orders?', 'applications?', 'customers?', `webhooks/${id}?`, log];
  for (const list of lists) {
    await vi.waitFor(
      async () => {
        const { html } = await developer.get(`/developer/${list}page=99`);
        expect(html, list).toContain('There is no page 99.');
        expect(html, list).toMatch(/page=1[^"]*">Go to the last page, 1</);
      },
      { timeout: 30_000, interval: 100 },
    );
  }
});
