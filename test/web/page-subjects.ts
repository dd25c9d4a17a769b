import { expect } from 'vitest';
import type { Page } from '../../src/web/page.ts';
import { session } from '../checkout/samples.ts';
import { uploadUnqueued } from '../imports/import-steps.ts';
import { png, uploaded } from '../media/images.ts';
import { cancelled } from '../moves/samples.ts';
import { asAdmin, Browser, invitation } from '../support/fixtures/browser.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { customerWithCart, registerCustomer } from '../support/fixtures/selling/customers.ts';
import type { World } from '../support/world.ts';
import { deadLetter } from '../webhooks/samples.ts';

/** The values of a path's parameters. */
type Params = Readonly<Record<string, string | number>>;

const webhook = async (shop: World) => {
  const hook = { url: 'https://shop.example.com/hooks', events: ['product.updated'], status: 'paused' };
  const { id } = (await shop.post('/webhooks', hook)).body;
  // An event to replay.
  await createProduct(shop);
  return { id, delivery: (await shop.post(`/webhooks/${id}/ping`)).body.id, key: 'product_id' };
};

/** Somebody just invited. Lists order people by e-mail, and this one comes first. */
const developer = async ({ slug }: World) => {
  const admin = await asAdmin();
  await invitation(admin, slug, `0${1e14 - Date.now()}-${crypto.randomUUID()}@example.com`);
  await admin.get(`/admin/tenants/${slug}`);
  return { slug, id: /developers\/(\d+)\/remove/.exec(admin.last.html)?.[1] ?? 'none' };
};

/** Somebody who is invited to the panel, by an owner whose list names them. */
const person = async (shop: World) => {
  const { id } = await developer(shop);
  return { id };
};

/** A session of a person besides the one that lists them: the latest of those that they may end. */
async function otherSession({ slug }: World, email: string): Promise<Params> {
  const [listing, ended] = [new Browser(), new Browser()];
  const network = { 'cf-connecting-ip': `2001:db8:${crypto.randomUUID().slice(0, 4)}:77::1` };
  for (const browser of [listing, ended]) {
    await browser.get('/developer/sign-in');
    const fields = { shop: slug, email, password: 'correct horse battery' };
    await browser.post('/developer/sign-in', fields, network);
  }
  const { html } = await listing.get('/developer/account');
  return { session: /sessions\/(\w+)\/end/.exec(html)?.[1] ?? 'none' };
}

/** A product with a variant, so that its page has every form. */
const tee = () => ({
  name: `Tee ${crypto.randomUUID()}`,
  type: 'configurable',
  price: 12,
  variants: [{ sku: crypto.randomUUID(), price: 12, stock: 3, attributes: { size: 'M' } }],
});

const cup = () => ({ name: 'Cup', type: 'simple', price: 5 });

const download = () => ({
  name: 'Book',
  type: 'downloadable',
  price: 5,
  links: [{ title: 'Book', url: 'https://files.example.com/book.pdf' }],
});

const tour = () => ({
  name: 'Tour',
  type: 'booking',
  price: 5,
  booking: {
    timezone: 'Europe/Berlin',
    slots: [{ from: '2099-05-01T09:00:00Z', to: '2099-05-01T10:00:00Z', capacity: 4 }],
  },
});

/** A paid order; returns its id. */
async function paidOrder(shop: World): Promise<string> {
  const { id } = (await shop.post('/orders', { session: await session(shop) })).body;
  expect((await shop.post(`/orders/${id}/payments`, { status: 'paid', reference: id })).status).toBe(200);
  return id;
}

/** Makes what the paths below these name in a tenant; the longest that a page's path begins with counts. */
const SUBJECTS: Readonly<Record<string, (shop: World, email: string) => Promise<Params>>> = {
  '/admin/tenants/:slug': async ({ slug }) => ({ slug }),
  '/admin/tenants/:slug/applications/:id': async (shop) => ({
    slug: shop.slug,
    id: (await shop.register()).id,
  }),
  '/admin/tenants/:slug/developers/:id': developer,
  '/admin/tenants/:slug/moves': cancelled,
  '/developer/invitations/:token': async ({ slug }) => ({
    token:
      (await invitation(await asAdmin(), slug, `${crypto.randomUUID()}@example.com`)).split('/').at(-1) ?? '',
  }),
  '/developer/people/:id': person,
  '/developer/account/sessions/:session': otherSession,
  '/developer/applications/:id': async (shop) => ({ id: (await shop.register()).id }),
  '/developer/applications/:id/enable': async (shop) => ({
    id: (await shop.register({ status: 'passive' })).id,
  }),
  '/developer/products/:id': async (shop) => ({ id: (await shop.post('/products', tee())).body.id }),
  '/developer/categories/:id': async (shop) => ({
    id: (await shop.post('/categories', { name: 'Mugs' })).body.id,
  }),
  '/developer/products/:id/variants/:variant': async (shop) => {
    const { body } = await shop.post('/products', tee());
    return { id: body.id, variant: body.variants[0].id };
  },
  '/developer/products/:id/files': async (shop) => ({
    id: (await shop.post('/products', download())).body.id,
  }),
  '/developer/products/:id/slots': async (shop) => ({ id: (await shop.post('/products', tour())).body.id }),
  '/developer/products/:id/members': async (shop) => {
    const grouped = [{ product_id: (await shop.post('/products', cup())).body.id }];
    const family = { name: 'Cups', type: 'grouped', price: 0, grouped };
    return { id: (await shop.post('/products', family)).body.id };
  },
  '/developer/products/:id/choices': async (shop) => {
    const member = (await shop.post('/products', cup())).body.id;
    const groups = [{ title: 'Cup', items: [{ product_id: member }] }];
    const set = { name: 'Set', type: 'bundled', price: 9, bundle_groups: groups };
    return { id: (await shop.post('/products', set)).body.id, group: 1 };
  },
  // A picture's text is changed in the products that show it; while one does, it can't be deleted.
  '/developer/media/:id': async (shop) => {
    const { id, url } = await uploaded(shop, png(3, 2));
    await shop.post('/products', { name: 'Poster', type: 'simple', price: 5, images: [{ url }] });
    return { id };
  },
  '/developer/media/:id/delete': async (shop) => ({ id: (await uploaded(shop, png(4, 2))).id }),
  // One that has not begun: only then it can be cancelled.
  '/developer/imports/:id': async (shop) => ({ id: await uploadUnqueued(shop, 'Handle,Title\nmug,Mug\n') }),
  // Paid and sent in part, so that its page offers everything that can be done with an order.
  '/developer/orders/:id': async (shop) => {
    const id = await paidOrder(shop);
    expect((await shop.post(`/orders/${id}/fulfilments`, {})).status).toBe(201);
    return { id };
  },
  '/developer/orders/:id/cancel': async (shop) => ({
    id: (await shop.post('/orders', { session: await session(shop) })).body.id,
  }),
  '/developer/customers/:id': async (shop) => {
    const { id, email } = await registerCustomer(shop);
    return { id, email };
  },
  '/developer/customers/:id/new-address': async (shop) => ({
    id: (await registerCustomer(shop)).id,
    country: 'DE',
  }),
  '/developer/customers/:id/addresses/:address': async (shop) => {
    const { id } = await registerCustomer(shop);
    const { body } = await shop.post(`/customers/${id}/addresses`, { country: 'DE', city: 'Berlin' });
    return { id, address: body.id };
  },
  '/developer/customers/:id/carts/:cart': async (shop) => {
    const { id } = await customerWithCart(shop);
    return { id, cart: (await shop.get(`/customers/${id}/carts`)).body.data[0].id };
  },
  '/developer/orders/:id/fulfil': async (shop) => ({ id: await paidOrder(shop) }),
  '/developer/orders/:id/refund': async (shop) => ({ id: await paidOrder(shop) }),
  '/developer/orders/:id/fulfilments': async (shop) => {
    const id = await paidOrder(shop);
    return { id, fulfilment: (await shop.post(`/orders/${id}/fulfilments`, {})).body.id };
  },
  '/developer/promotions/:id': async (shop) => ({
    id: (await shop.post('/coupons', { code: crypto.randomUUID(), kind: 'percent', value: 10 })).body.id,
  }),
  '/developer/settings/shipping/methods/:id': async (shop) => {
    const id = `parcel-${shop.slug}`.slice(0, 40);
    const methods = [id, 'express'].map((one) => ({ id: one, name: 'Parcel', price: 4 }));
    await shop.patch('/settings', { shipping: { methods: methods.toReversed() } });
    return { id };
  },
  '/developer/feeds/:id': async (shop) => ({ id: (await shop.post('/feeds', { format: 'csv' })).body.id }),
  '/developer/webhooks/:id': webhook,
  '/admin/health/dead-letters/:letter': async (shop) => ({ letter: await deadLetter(shop) }),
  // The demo shop is empty here.
  '/demo': async () => ({ id: 999_999_999, token: 'none' }),
};

/** Returns the longest of {@link SUBJECTS}' paths that a page's path begins with. */
function prefixOf({ path }: Page): string {
  const [prefix] = Object.keys(SUBJECTS)
    .filter((start) => path === start || path.startsWith(`${start}/`))
    .sort((a, b) => b.length - a.length);
  expect(prefix, `${path} needs a subject: see test/web/page-subjects.ts`).toBeDefined();
  return prefix ?? '';
}

/** What a page's path names, freshly made in this tenant, for the person of an e-mail; none without parameters. */
export async function subjectOf(page: Page, shop: World, email = 'ada@example.com'): Promise<Params> {
  if (!page.path.includes(':')) return {};
  return (await SUBJECTS[prefixOf(page)]?.(shop, email)) ?? {};
}

const kept = new WeakMap<World, Map<string, Promise<Params>>>();

/** What {@link subjectOf} makes, once for all pages that it serves and each e-mail: for calls that change nothing. */
export function keptSubjectOf(page: Page, shop: World, email?: string): Promise<Params> {
  if (!page.path.includes(':')) return Promise.resolve({});
  const ofShop = kept.get(shop) ?? new Map<string, Promise<Params>>();
  const key = `${prefixOf(page)} ${email}`;
  const subject = ofShop.get(key) ?? subjectOf(page, shop, email);
  kept.set(shop, ofShop.set(key, subject));
  return subject;
}

/** The path of a page about a subject. */
export const pathOf = (page: Page, subject: Params): string =>
  page.path.replace(/:(\w+)/g, (_, name: string) => {
    expect(subject, `${page.path} needs ${name}: see test/web/page-subjects.ts`).toHaveProperty(name);
    return String(subject[name]);
  });
