/** Product feeds: their addresses, and the files in each format. */

import { env } from 'cloudflare:workers';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { productRows, ROWS_PER_PAGE } from '../../src/feed/product-feeds/product-rows.ts';
import { HOUR, now } from '../../src/kernel/core/clock.ts';
import { measureDatabase } from '../support/database-usage.ts';
import { expectProblem } from '../support/endpoint-calls.ts';
import { failStatements } from '../support/faults/database.ts';
import { insertProducts } from '../support/fixtures/products.ts';
import { db } from '../support/runtime.ts';
import { admin, type World, world } from '../support/world.ts';
import { createFeed, feedShop, fetchFile, IMAGE, itemsOf, listed, textOf } from './feed-shop.ts';

afterEach(() => void vi.restoreAllMocks());

/** What breaks careless writers: markup, quotes, line breaks, control characters, formulas, other scripts. */
const ODD = '=1+1 "Tea", <b>&amp; \u0001\u000b\ufffe\ud83d\ude00 茶\tcup';

describe('the formats', () => {
  let shop: World;
  beforeAll(async () => {
    shop = await feedShop({ name: 'Tea & Co <shop>' });
    await listed(shop, {
      ...{ name: ODD, vendor: ODD, description: 'Line one\r\nline "two"', sku: `tea,${crypto.randomUUID()}` },
      images: [IMAGE, 'https://img.example.com/a,b.jpg', 'https://img.example.com/c&d.jpg'],
    });
    await listed(shop, { name: 'Plain' });
    await listed(shop, { name: 'Left out', images: [] });
  });

  const read = async (format: string) => {
    const response = await fetchFile((await createFeed(shop, format)).path);
    expect(response.status).toBe(200);
    return { type: response.headers.get('content-type'), text: await textOf(response) };
  };

  it('write JSON Lines: an object for each item', async () => {
    const { type, text } = await read('jsonl');
    expect(type).toBe('application/jsonl; charset=utf-8');
    const [odd, plain, end] = text.split('\n');
    expect(JSON.parse(odd ?? '')).toMatchObject({
      title: ODD.trim(),
      additional_image_link: [/,/, /&/].map((one) => expect.stringMatching(one)),
    });
    expect(JSON.parse(plain ?? '')).toMatchObject({ title: 'Plain' });
    expect(end).toBe('');
  });

  it('write CSV that a parser of RFC 4180 reads back', async () => {
    const { type, text } = await read('csv');
    expect(type).toBe('text/csv; charset=utf-8; header=present');
    expect(text).toContain('\r\n');
    const rows = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
    expect(rows.map(({ title }) => title)).toEqual([ODD.trim(), 'Plain']);
    expect(rows[0]?.additional_image_link?.split(',')).toEqual([
      'https://img.example.com/a%2Cb.jpg',
      'https://img.example.com/c&d.jpg',
    ]);
    expect(rows[0]?.description).toBe('Line one line "two"');
  });

  it('write RSS 2.0 that is well-formed XML 1.0', async () => {
    const { type, text } = await read('xml');
    expect(type).toBe('application/xml; charset=utf-8');
    expect(text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2.0" xmlns:g="http:\/\/base.google.com\/ns\/1.0">/,
    );
    expect(text).toContain('<title>Tea &amp; Co &lt;shop&gt;</title>');
    expect(text).toContain('<link>https://shop.example.com</link>');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 can't contain them
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
    expect(text.match(/<item>/g)?.length).toBe(2);
    expect(text.match(/<g:additional_image_link>/g)?.length).toBe(2);
    expect(tagsOf(text)).toEqual([]);
    const title = /<item>.*?<title>(.*?)<\/title>/s.exec(text)?.[1];
    expect(title).toBe('=1+1 &quot;Tea&quot;, &lt;b&gt;&amp;amp; \u{1f600} 茶\tcup');
  });
});

/** Returns the elements that are still open at the end; throws for one that closes another. */
function tagsOf(text: string): string[] {
  const open: string[] = [];
  for (const [, close, name = '', attributes] of text.matchAll(/<(\/?)([\w:]+)([^<>]*)>/g)) {
    if (close) expect(open.pop()).toBe(name);
    else open.push(name);
    expect(attributes).not.toMatch(/&(?!\w+;)/);
  }
  expect(
    text.replace(/<\/?[\w:]+[^<>]*>/g, '').replace('<?xml version="1.0" encoding="UTF-8"?>', ''),
  ).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|apos);)/);
  return open;
}

describe('the address', () => {
  it('is served to whoever has it, until the feed is deleted', async () => {
    const shop = await feedShop();
    await listed(shop);
    const { id, path } = await createFeed(shop, 'xml');
    expect(path).toMatch(/^\/feeds\/fd_[\w-]+\.xml$/);
    expect((await shop.get('/feeds')).body.data).toMatchObject([
      { id, format: 'xml', url: `https://api.example.com${path}` },
    ]);
    const file = await fetchFile(path);
    expect([file.status, file.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
    await textOf(file);
    expect((await shop.delete(`/feeds/${id}`)).status).toBe(204);
    const gone = await fetchFile(path);
    expect([gone.status, ((await gone.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    expectProblem(await shop.delete(`/feeds/${id}`), 404, 'feed_not_found');
    expect((await shop.get('/feeds')).body.data).toEqual([]);
  });

  it('is 404 without a look at the database when it is forged', async () => {
    const { path } = await createFeed(await feedShop(), 'xml');
    const other = path.at(-10) === 'a' ? 'b' : 'a';
    const forged = [
      path.slice(0, -10) + other + path.slice(-9),
      path.replace(/\.xml$/, '.csv'),
      path.replace(/fd_\d+/, 'fd_1'),
      path.replace(/_1(\w+)\.xml$/, '_9$1.xml'),
      '/feeds/x.xml',
      '/feeds/fd_.xml',
    ];
    const usage = await measureDatabase(async () => {
      for (const one of forged) expect((await fetchFile(one)).status, one).toBe(404);
    });
    expect(usage.statements).toBe(0);
  });

  it('takes GET and HEAD alone, and names them', async () => {
    const { path } = await createFeed(await feedShop());
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await fetchFile(path, { method });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    const head = await fetchFile(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
  });

  it('answers 304 until the catalogue changes', async () => {
    const shop = await feedShop();
    const product = await listed(shop);
    const { path } = await createFeed(shop);
    const first = await fetchFile(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    await textOf(first);
    const same = await fetchFile(path, { headers: { 'if-none-match': etag } });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, '']);
    await shop.patch(`/products/${product.body.id}`, { price: 11 });
    const changed = await fetchFile(path, { headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
    expect(await textOf(changed)).toContain('11.00 EUR');
  });

  it('has its files written 12 times an hour, not counting 304 and HEAD', async () => {
    const shop = await feedShop();
    const { path } = await createFeed(shop);
    let etag = '';
    for (let n = 0; n < 12; n++) {
      const file = await fetchFile(path);
      expect(file.status).toBe(200);
      etag = file.headers.get('etag') ?? '';
      await textOf(file);
    }
    const refused = await fetchFile(path);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(3_000);
    expect(wait).toBeLessThanOrEqual(3_600);
    await refused.text();
    expect((await fetchFile(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetchFile(path, { method: 'HEAD' })).status).toBe(200);
    expect((await fetchFile((await createFeed(shop)).path)).status).toBe(200);
    vi.spyOn(Date, 'now').mockReturnValue(now() + HOUR);
    expect((await fetchFile(path)).status).toBe(200);
  });

  it('is refused while the tenant is suspended', async () => {
    const shop = await feedShop();
    const { path } = await createFeed(shop);
    await admin('PATCH', `/tenants/${shop.slug}`, { status: 'suspended' });
    expect((await fetchFile(path)).status).toBe(403);
  });
});

it('creates a feed once for its idempotency key', async () => {
  const shop = await feedShop();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const [first, second] = [
    await shop.post('/feeds', { format: 'csv' }, { token: shop.token, headers }),
    await shop.post('/feeds', { format: 'csv' }, { token: shop.token, headers }),
  ];
  expect(second.body).toEqual(first.body);
  expect((await shop.get('/feeds')).body.data.length).toBe(1);
});

it("keeps another tenant's products and feeds out", async () => {
  const [shop, other] = [await feedShop(), await feedShop()];
  await listed(shop);
  const { id } = await createFeed(shop);
  expect(await itemsOf(other)).toEqual([]);
  expect((await other.get('/feeds')).body.data.map((one: { id: string }) => one.id)).not.toContain(id);
  expectProblem(await other.delete(`/feeds/${id}`), 404, 'feed_not_found');
  expectProblem(await other.get(`/feeds/${id}/problems`), 404, 'feed_not_found');
});

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

it.each([
  'http://shop.example.com/{slug}',
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
  const shop = await world();
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

describe('a large catalogue', () => {
  const COUNT = 2 * ROWS_PER_PAGE + 345;

  /** Inserts products that Google would take, past the API. */
  async function large(shop: World): Promise<number> {
    const first = await insertProducts(shop, COUNT);
    await env.DB.batch([
      env.DB.prepare(
        `UPDATE products SET description = 'Some text', images = '["${IMAGE}"]' WHERE tenant_id = ?`,
      ).bind(shop.tenantId),
      env.DB.prepare(
        `INSERT INTO inventory_items (id, tenant_id, product_id, sku, on_hand, policy, derived, feed, updated_at)
         SELECT id, tenant_id, id, sku, 1, 'deny', 'none', 'live', id FROM products WHERE tenant_id = ?`,
      ).bind(shop.tenantId),
    ]);
    return first;
  }

  it('is streamed a page for each query, each product once while others are sold and created', async () => {
    const shop = await feedShop();
    const first = await large(shop);
    const { path } = await createFeed(shop);
    const usage = await measureDatabase(async () => {
      const { body } = await fetchFile(path);
      if (!body) throw new Error('There is no body');
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let n = 0; ; n++) {
        const { done, value } = await reader.read();
        if (done) break;
        text += value;
        if (n === 0) {
          await env.DB.prepare(
            'UPDATE inventory_items SET updated_at = updated_at + 1e9, on_hand = 2 WHERE tenant_id = ? AND id % 2 = 0',
          )
            .bind(shop.tenantId)
            .run();
          await env.DB.prepare("UPDATE inventory_items SET feed = 'gone' WHERE tenant_id = ? AND id = ?")
            .bind(shop.tenantId, first)
            .run();
        }
      }
      const ids = text.split('\n').flatMap((line) => (line ? [Number(JSON.parse(line).id)] : []));
      expect(ids).toEqual(Array.from({ length: COUNT }, (_, n) => first + n));
    });
    // The feed with its tenant (2), its counter, 3 pages, and the 2 changes above.
    expect(usage.statements).toBe(8);
  });

  it('finds its problems 5,000 SKUs a call at most', async () => {
    const shop = await feedShop();
    const first = await large(shop);
    await env.DB.prepare("UPDATE products SET images = '[]' WHERE tenant_id = ? AND id >= ?")
      .bind(shop.tenantId, first + COUNT - 3)
      .run();
    const { id } = await createFeed(shop);
    const page = (await shop.get(`/feeds/${id}/problems?limit=2`)).body;
    expect(page.data.map((one: { product_id: number }) => one.product_id)).toEqual([
      first + COUNT - 3,
      first + COUNT - 2,
    ]);
    const rest = (await shop.get(`/feeds/${id}/problems?limit=2&cursor=${page.meta.next_cursor}`)).body;
    expect(rest.data.map((one: { product_id: number }) => one.product_id)).toEqual([first + COUNT - 1]);
    expect(rest.meta.next_cursor).toBeNull();
  });

  it('breaks off when the database fails half-way, so that nobody takes the file for the whole', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const shop = await feedShop();
    await large(shop);
    const { path } = await createFeed(shop);
    const response = await fetchFile(path);
    const reader = response.body?.getReader();
    await reader?.read();
    const restore = failStatements(/inventory_items/);
    const read = async () => {
      for (;;) if ((await reader?.read())?.done) return 'whole';
    };
    expect(await read().catch(() => 'broken')).toBe('broken');
    restore();
  });
});

it('reads a page through indexes alone', async () => {
  const queries: string[] = [];
  const { prepare } = env.DB;
  vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
    queries.push(query);
    return prepare.call(env.DB, query);
  });
  await productRows({ db: db(), tenantId: 1 }, 0);
  vi.restoreAllMocks();
  const query = queries.find((one) => one.includes('inventory_items')) ?? '';
  const values = Array.from(query.matchAll(/\?/g), () => 1);
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
    .bind(...values)
    .all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail);
  expect(plan.filter((step) => /^SCAN (?!json_each|f$|\(subquery|\d)/.test(step))).toEqual([]);
  expect(plan.join('; ')).toMatch(/inventory_items USING COVERING INDEX inventory_live/);
});
