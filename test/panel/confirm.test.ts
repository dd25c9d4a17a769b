import { expect, it } from 'vitest';
import { asAdmin, asDeveloper, type Browser, fieldsOf } from '../support/fixtures/browser.ts';
import { type World, world } from '../support/world.ts';

interface Case {
  /** The page that has the link. */
  readonly from: string;
  readonly to: string;
  readonly says: string;
  readonly keep: string;
  /** What the API shows of the subject. */
  readonly read: () => Promise<unknown>;
  readonly browser: Browser;
}

const CASES: Readonly<Record<string, (shop: World) => Promise<Case>>> = {
  'deleting a promotion': async (shop) => {
    const { id } = (await shop.post('/coupons', { code: 'SUMMER', kind: 'percent', value: 10 })).body;
    const from = `/developer/promotions/${id}`;
    const read = async () => (await shop.get(`/coupons/${id}`)).status;
    const browser = await asDeveloper(shop.slug);
    return {
      from,
      to: `${from}/delete`,
      says: 'No order has redeemed it',
      keep: 'Keep the promotion',
      read,
      browser,
    };
  },
  'deleting a webhook': async (shop) => {
    const hook = { url: 'https://a.example.com/x', events: ['stock.changed'] };
    const { id } = (await shop.post('/webhooks', hook)).body;
    const from = `/developer/webhooks/${id}`;
    const read = async () => (await shop.get('/webhooks')).body.data.length;
    const browser = await asDeveloper(shop.slug);
    return { from, to: `${from}/delete`, says: 'delivery log', keep: 'Back without a change', read, browser };
  },
  "rotating a webhook's secret": async (shop) => {
    const hook = { url: 'https://a.example.com/x', events: ['stock.changed'] };
    const { id } = (await shop.post('/webhooks', hook)).body;
    const from = `/developer/webhooks/${id}`;
    const read = async () => (await shop.get('/webhooks')).body.data[0].secret_preview;
    const browser = await asDeveloper(shop.slug);
    return { from, to: `${from}/rotate-secret`, says: '24 hours', keep: 'Back', read, browser };
  },
  'suspending a tenant': async (shop) => {
    const from = `/admin/tenants/${shop.slug}`;
    const browser = await asAdmin();
    const read = async () => /<dt>Status<\/dt><dd>.*?>(\w+)</.exec((await browser.get(from)).html)?.[1];
    return {
      from,
      to: `${from}/suspend`,
      says: 'Nothing is deleted',
      keep: 'Keep the tenant',
      read,
      browser,
    };
  },
};

it.each(Object.entries(CASES))('asks on a page of its own before %s', async (_, make) => {
  const { from, to, says, keep, read, browser } = await make(await world());
  const before = await read();
  const { html } = await browser.get(from);
  expect(html).toContain(`href="${to}"`);
  expect(html).not.toContain(`action="${to}"`);
  await browser.get(to);
  expect(browser.last.html).toContain(says);
  expect(browser.last.html).toMatch(new RegExp(`<a href="${from}">${keep}`));
  expect(await read()).toEqual(before);
  await browser.get(to);
  await browser.submit(to, fieldsOf(browser.last.html, to));
  expect(await read()).not.toEqual(before);
});

it('does what its own address says, as it was sent and not decoded', async () => {
  const { slug } = await world();
  // A "-", which might as well be a backslash that browsers take for a slash.
  const page = `/admin/tenants/${slug.replace('-', '%2D')}/suspend`;
  expect(page).toContain('%2D');
  const { html } = await (await asAdmin()).get(page);
  const [, action] = /class="card confirm"[\s\S]*?<form[^>]* action="([^"]*)"/.exec(html) ?? [];
  expect(URL.parse(action ?? '', 'https://panel.example.com')?.pathname).toBe(page);
});

it('replays a range of events after a question, and keeps a wrong instant', async () => {
  const shop = await world();
  const hook = { url: 'https://a.example.com/x', events: ['stock.changed'], status: 'paused' };
  const { id } = (await shop.post('/webhooks', hook)).body;
  const developer = await asDeveloper(shop.slug);
  const to = `/developer/webhooks/${id}/replay`;
  await developer.get(to);
  const range = { ...fieldsOf(developer.last.html, to), from: '2026-01-02T00:00', to: 'soon' };
  expect((await developer.post(to, range)).status).toBe(422);
  expect(developer.last.html).toContain('href="#f-to"');
  expect(fieldsOf(developer.last.html, to)).toMatchObject({ from: '2026-01-02T00:00', to: 'soon' });
});

it('activates a suspended tenant again without a question', async () => {
  const [shop, admin] = [await world(), await asAdmin()];
  const here = `/admin/tenants/${shop.slug}`;
  await admin.get(`${here}/suspend`);
  await admin.submit(`${here}/suspend`, {});
  expect(admin.last.html).toContain('suspended');
  await admin.submit(`${here}/activate`, {});
  expect(admin.last.html).toContain(`${here}/suspend"`);
});
