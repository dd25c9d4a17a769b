import { afterEach, expect, it, vi } from 'vitest';
import { FeedSettings } from '../../src/tenants/settings/feeds.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { lazy } from '../support/lazy.ts';
import { world } from '../support/world.ts';
import { createFeed, feedShop, itemsOf, listed } from './feed-shop.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

afterEach(() => void vi.restoreAllMocks());

it('refuses bad input and names the field', async () => {
  const shop = await feedShop();
  const { id } = await createFeed(shop);
  for (const body of [{}, { format: 'tsv' }, { format: null }, { format: ['xml'] }]) {
    const refused = await shop.post('/feeds', body);
    expectProblem(refused, 422, 'validation_error');
    expect(Object.keys(refused.body.errors)).toEqual(['format']);
  }
  expect(Object.keys((await shop.post('/feeds', { format: 'xml', name: 'x' })).body.errors)).toEqual([
    'name',
  ]);
  for (const [query, field] of [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
    ['page=2', 'page'],
  ]) {
    const refused = await shop.get(`/feeds/${id}/problems?${query}`);
    expectProblem(refused, 422, 'validation_error');
    expect(Object.keys(refused.body.errors)).toEqual([field]);
  }
});

it('refuses a product URL of very many dots', () => {
  // To follow each dot to the last of them would take longer than a test may run.
  const product_url = `https://p${'.:'.repeat(500_000)}{slug}`;
  expect(FeedSettings.safeParse({ product_url }).success).toBe(false);
});

it.each([
  'http://shop.example.com/{slug}',
  'https://.com/{slug}',
  'https://com./{slug}',
  'https://shop.example.com/',
  'https://{slug}.example.com/',
  'https://shop.example.com{slug}',
  'https://shop.example.com/{name}',
  'https://shop.example.com/{slug}/{',
  'https://shop example.com/{slug}',
  'https://user@shop.example.com/{slug}',
  'javascript:alert({slug})',
  'https://localhost/{slug}',
  '/p/{slug}',
  '',
  `https://shop.example.com/{slug}${'x'.repeat(1_000)}`,
])('refuses the product URL %j', async (product_url) => {
  const shop = await untouched();
  const refused = await shop.patch('/settings', { feeds: { product_url } });
  expectProblem(refused, 422, 'validation_error');
  expect(Object.keys(refused.body.errors)).toEqual(['feeds.product_url']);
});

it.each([
  ['https://shop.example.com/{slug}', 'https://shop.example.com/mug'],
  ['https://shop.example.com:8443/p/{id}#{variant_id}', /^https:\/\/shop\.example\.com:8443\/p\/(\d+)#\1$/],
  ['https://shop.example.com?p={id}&v={variant_id}', /^https:\/\/shop\.example\.com\/\?p=(\d+)&v=\1$/],
  ['https://täst.example/ä/{slug}', 'https://xn--tst-qla.example/%C3%A4/mug'],
])('links products by the template %s', async (product_url, link) => {
  const shop = await world({ settings: { feeds: { product_url } } });
  await listed(shop, { slug: 'mug' });
  expect((await itemsOf(shop))[0]?.link).toEqual(
    typeof link === 'string' ? link : expect.stringMatching(link),
  );
});
