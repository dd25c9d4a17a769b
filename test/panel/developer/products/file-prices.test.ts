import { expect, it } from 'vitest';
import { asDeveloper, fill } from '../../../support/fixtures/browser.ts';
import { NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { pageWeight } from '../../../support/fixtures/page-weight.ts';
import { admin, type World, world } from '../../../support/world.ts';
import { editor } from './editor.ts';

const SONG = { title: 'Song', url: 'https://files.example.com/a.mp3', price: 2 };
const FREE = { title: 'Booklet', url: 'https://files.example.com/b.pdf', price: 0 };

const linksOf = async (shop: World, id: number, query = '') =>
  (await shop.get(`/products/${id}${query}`, NEWEST)).body.links;

it('prices the files of a download in each currency', async () => {
  const { shop, save, id } = await editor({ type: 'downloadable', prices: { USD: 12 }, links: [SONG, FREE] });
  await save('/files', { 'links.0.prices.USD': '2,50' });
  expect(await linksOf(shop, id)).toEqual([
    { id: 1, title: 'Song', price: 2, prices: { USD: 2.5 } },
    { id: 2, title: 'Booklet', price: 0 },
  ]);
  expect(await linksOf(shop, id, '?currency=USD')).toMatchObject([{ price: 2.5 }, { price: 0 }]);
  await save('/files', { 'links.0.prices.USD': '' });
  expect(await linksOf(shop, id)).toMatchObject([{ title: 'Song', price: 2 }, {}]);
  expect((await linksOf(shop, id))[0]).not.toHaveProperty('prices');
});

it('keeps equal prices of a file in all other currencies, and those of a currency that is sold no more', async () => {
  const shop = await world({ currencies: ['EUR', 'USD', 'CHF'] });
  const { body } = await shop.post('/products', {
    ...{ name: 'Album', type: 'downloadable', price: 9 },
    links: [{ ...SONG, prices: { USD: 3, CHF: 3 } }],
  });
  const page = `/developer/products/${body.id}/files`;
  await fill(await asDeveloper(shop.slug), page, page, { 'links.0.title': 'The song' });
  expect(await linksOf(shop, body.id)).toMatchObject([{ title: 'The song', prices: { USD: 3, CHF: 3 } }]);
  await admin('PATCH', `/tenants/${shop.slug}`, { currencies: ['EUR', 'USD'] });
  const developer = await asDeveloper(shop.slug, undefined, 'eve@example.com');
  expect((await developer.get(page)).html).not.toContain('prices.CHF');
  await fill(developer, page, page, { 'links.0.prices.USD': '4' });
  expect(await linksOf(shop, body.id)).toMatchObject([{ price: 2, prices: { USD: 4, CHF: 3 } }]);
});

it('says at its field what is wrong with a price of a file', async () => {
  const { save } = await editor({ type: 'downloadable', links: [SONG] });
  for (const [sent, message] of [
    ['1.000', 'must be without a separator of thousands, such as 1000 or 1000.00'],
    ['2.505', 'must have at most 2 decimals'],
  ] as const) {
    const { status, html } = await save('/files', { 'links.0.prices.USD': sent });
    expect(status).toBe(422);
    expect(html).toContain(message);
    const field = /<input id="f-links.0.prices.USD"[^>]*>/.exec(html)?.[0];
    expect(field).toContain(`value="${sent}"`);
    expect(field).toContain('aria-invalid="true"');
  }
});

it('asks for the prices of the files of a new download in each currency', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const developer = await asDeveloper(shop.slug);
  const form = '/developer/products/new?type=downloadable';
  await fill(developer, form, '/developer/products/new', {
    ...{ name: 'Album', price: '9', 'prices.USD': '10' },
    ...{ 'links.0.title': 'Song', 'links.0.url': SONG.url, 'links.0.price': '2', 'links.0.prices.USD': '3' },
  });
  const { data } = (await shop.get('/products?q=album', NEWEST)).body;
  expect(await linksOf(shop, data[0]?.id)).toEqual([{ id: 1, title: 'Song', price: 2, prices: { USD: 3 } }]);
});

it('stays within the size of a page with several currencies and the longest titles', async () => {
  const shop = await world({ currencies: ['EUR', 'USD', 'GBP', 'CHF'] });
  const title = '"&<>'.repeat(60);
  const links = Array.from({ length: 7 }, () => ({ ...SONG, title, prices: { USD: 3, GBP: 3, CHF: 3 } }));
  const made = await shop.post('/products', { name: title, type: 'downloadable', price: 9, links });
  const developer = await asDeveloper(shop.slug);
  const page = `/developer/products/${made.body.id}/files`;
  expect(await pageWeight((await developer.get(page)).html)).toBeLessThanOrEqual(30 * 1024);
  await fill(developer, `${page}?page=3`, page, { 'links.0.title': 'The last', 'links.0.prices.GBP': '' });
  const stored = await linksOf(shop, made.body.id);
  expect(stored).toHaveLength(7);
  expect(stored[6]).toEqual({ id: 7, title: 'The last', price: 2, prices: { USD: 3, CHF: 3 } });
});
