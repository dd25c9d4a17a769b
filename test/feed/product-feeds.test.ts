/** Product feeds: their addresses, and the files in each format. */

import { parse } from 'csv-parse/sync';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, moveClock, now } from '../../src/kernel/core/clock.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { admin, type World } from '../support/world.ts';
import { createFeed, feedShop, fetchFile, IMAGE, itemsOf, listed, textOf } from './feed-shop.ts';

afterEach(() => void vi.restoreAllMocks());

/** What breaks careless writers: markup, quotes, line breaks, control characters, formulas, other scripts. */
const ODD = '=1+1 "Tea", <b>&amp; \u0001\u000b\ufffe\ud83d\ude00 茶\tcup';

describe('the formats', () => {
  let shop: World;
  beforeAll(async () => {
    shop = await feedShop({ name: 'Tea & Co <shop>' });
    const { body } = await listed(shop, {
      name: 'Tea',
      description: 'Line one\r\nline "two"',
      sku: `tea,${crypto.randomUUID()}`,
      images: [IMAGE, 'https://img.example.com/a,b.jpg', 'https://img.example.com/c&d.jpg'],
    });
    // Products of earlier versions have control characters in their names.
    await databaseOf(shop).run(
      sql`UPDATE products SET name = ${ODD}, vendor = ${ODD} WHERE tenant_id = ${shop.tenantId} AND id = ${body.id}`,
    );
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
  it('is served to anyone who has it, until the feed is deleted', async () => {
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
    expect((await fetchFile(path, { method: 'HEAD' })).status).toBe(404);
    const gone = await fetchFile(path);
    expect([gone.status, ((await gone.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    expectProblem(await shop.delete(`/feeds/${id}`), 404, 'feed_not_found');
    expect((await shop.get('/feeds')).body.data).toEqual([]);
  });

  it('is 404 without a database query when it is forged', async () => {
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

  it('is written again at once when stock that is left changes the price of a bundle', async () => {
    const shop = await feedShop();
    const cup = (await listed(shop, { price: 4, stock: 5 })).body;
    const plate = (await listed(shop, { price: 20 })).body;
    const items = [{ product_id: cup.id, quantity: 3 }, { product_id: plate.id }];
    await listed(shop, {
      type: 'bundled',
      price: 0,
      bundle_groups: [{ title: 'One', required: true, items }],
    });
    const { path } = await createFeed(shop);
    const first = await fetchFile(path);
    expect(await textOf(first)).toContain('"price":"12.00 EUR"');
    const moved = await shop.post('/inventory/adjustments', { items: [{ sku: cup.sku, delta: -3 }] });
    expect(moved.status, JSON.stringify(moved.body)).toBe(200);
    const changed = await fetchFile(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect(changed.status).toBe(200);
    expect(await textOf(changed)).not.toContain('12.00 EUR');
  });

  it('is asked for by a network 60 times at once, then once a second', async () => {
    stopClock();
    const { path } = await createFeed(await feedShop());
    const other = (await createFeed(await feedShop())).path;
    const ask = (from: string, of = path) =>
      fetchFile(of, { method: 'HEAD', headers: { 'cf-connecting-ip': from } });
    for (let n = 0; n < 60; n++) expect((await ask('203.0.113.9')).status).toBe(200);
    const refused = await ask('203.0.113.9');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await ask('203.0.113.10')).status).toBe(200);
    expect((await ask('203.0.113.9', other)).status).toBe(200);
    moveClock(1_000);
    expect((await ask('203.0.113.9')).status).toBe(200);
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

  it('has its files written again once a clock that was ahead is set back', async () => {
    const { path } = await createFeed(await feedShop());
    moveClock(DAY);
    for (let n = 0; n < 12; n++) await textOf(await fetchFile(path));
    expect((await fetchFile(path)).status).toBe(429);
    moveClock(-DAY);
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
