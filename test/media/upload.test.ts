import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/kernel/crypto/crypto.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { send, world } from '../support/world.ts';
import {
  avif,
  bytesOf,
  encoded,
  exif,
  fetchImage,
  gif,
  jpeg,
  objectsOf,
  png,
  upload,
  uploaded,
} from './images.ts';

describe('an uploaded image', () => {
  it.each([
    ['image/png', async () => png(40, 30)],
    ['image/gif', async () => gif(40, 30)],
    ['image/jpeg', async () => jpeg(40, 30)],
    ['image/jpeg', () => encoded('image/jpeg', 40, 30)],
    ['image/webp', () => encoded('image/webp', 40, 30)],
    ['image/avif', () => encoded('image/avif', 40, 30)],
    ['image/avif', async () => avif(40, 30, 0, 'mif1')],
  ] as const)('is stored under its hash and served as it is: %s', async (type, make) => {
    const shop = await world();
    const bytes = await make();
    const record = await uploaded(shop, bytes, type);
    const hash = sha256(bytes);
    expect(record).toEqual({
      id: expect.stringMatching(/^med_\w{24}$/),
      url: `https://api.example.com/media/${shop.slug}/${hash}`,
      width: 40,
      height: 30,
      bytes: bytes.length,
      content_type: type,
      created_at: expect.any(String),
    });
    expect((await shop.get(`/media/${record.id}`)).body).toEqual({ ...record, product_ids: [] });
    const served = await fetchImage(record.url);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, type]);
    expect(await bytesOf(served)).toEqual(bytes);
  });

  it('has the size that is displayed, turned as EXIF and AVIF say', async () => {
    const shop = await world();
    for (const [orientation, width, height] of [
      [1, 40, 30],
      [3, 40, 30],
      [6, 30, 40],
      [8, 30, 40],
      [99, 40, 30],
    ] as const) {
      const record = await uploaded(shop, jpeg(40, 30, exif(orientation)), 'image/jpeg');
      expect([orientation, record.width, record.height]).toEqual([orientation, width, height]);
    }
    expect(await uploaded(shop, avif(40, 30, 1), 'image/avif')).toMatchObject({ width: 30, height: 40 });
    expect(await uploaded(shop, avif(40, 30, 2), 'image/avif')).toMatchObject({ width: 40, height: 30 });
  });

  it('is the same record when the same bytes come again', async () => {
    const shop = await world();
    const bytes = png(9, 9);
    const first = await uploaded(shop, bytes);
    expect(await uploaded(shop, bytes)).toEqual(first);
    expect((await shop.get('/media')).body.meta.total).toBe(1);
    expect(await objectsOf(shop)).toEqual([`${shop.slug}/${sha256(bytes)}`]);
  });

  it('is one record and one object when the same bytes are uploaded many times at once', async () => {
    const shop = await world();
    const bytes = png(12, 9);
    const records = await Promise.all(Array.from({ length: 8 }, () => uploaded(shop, bytes)));
    expect(new Set(records.map(({ id }) => id)).size).toBe(1);
    expect((await shop.get('/media')).body.data).toEqual([{ ...records[0], product_ids: [] }]);
    expect(await objectsOf(shop)).toHaveLength(1);
  });

  it('is the same record under an Idempotency-Key, which other bytes may not use', async () => {
    const shop = await world();
    const key = { 'idempotency-key': crypto.randomUUID() };
    const bytes = png(7, 7);
    const first = await upload(shop, bytes, 'image/png', key);
    const again = await upload(shop, bytes, 'image/png', key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expectProblem(await upload(shop, png(7, 7), 'image/png', key), 422, 'idempotency_key_reused');
  });

  it('keeps the refusal of a file for its Idempotency-Key, and of no other file', async () => {
    const shop = await world();
    const key = { 'idempotency-key': crypto.randomUUID() };
    const wrong = new TextEncoder().encode('no image at all');
    expectProblem(await upload(shop, wrong, 'image/png', key), 415, 'unsupported_media_type');
    expectProblem(await upload(shop, png(7, 7), 'image/png', key), 422, 'idempotency_key_reused');
    const again = await upload(shop, wrong, 'image/png', key);
    expectProblem(again, 415, 'unsupported_media_type');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('may come in pieces of any size, without a declared length', async () => {
    const shop = await world();
    const bytes = png(300, 300);
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 1 + (at % 997)) {
          controller.enqueue(bytes.slice(at, at + 1 + (at % 997)));
        }
        controller.close();
      },
    });
    const record = await uploaded(shop, pieces);
    expect(await bytesOf(await fetchImage(record.url))).toEqual(bytes);
  });

  it('may have 20 MiB, and no byte more', async () => {
    const shop = await world();
    const limit = 20 * 1024 * 1024;
    const plain = jpeg(8, 8);
    const whole = new Uint8Array(limit);
    whole.set(plain);
    expect(await uploaded(shop, whole, 'image/jpeg')).toMatchObject({ bytes: limit, width: 8 });
    const answer = await upload(shop, new Uint8Array(limit + 1), 'image/jpeg');
    expectProblem(answer, 413, 'payload_too_large');
    expect(answer.body.details).toEqual({ max_bytes: limit });
  });
});

describe('the list', () => {
  it('has the newest first, page by page', async () => {
    const shop = await world();
    const made = [];
    for (let n = 0; n < 3; n++) made.unshift(await uploaded(shop, png(5, 5 + n)));
    const all = await shop.get('/media');
    expect(all.body.data.map(({ id }: { id: string }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
    const second = await shop.get('/media?limit=2&page=2');
    expect(second.body.meta).toEqual({ page: 2, limit: 2, total: 3, total_pages: 2, next_cursor: null });
    expect(second.body.data).toEqual([all.body.data[2]]);
  });
});

describe('the list by cursor', () => {
  it('has each of several images that came within one millisecond', async () => {
    const shop = await world();
    stopClock();
    const made = [];
    for (let n = 0; n < 3; n++) made.push((await uploaded(shop, png(6, 5 + n))).id);
    const listed = [];
    for (let next = ''; next !== null; ) {
      const { data, meta } = (await shop.get(`/media?limit=1${next && `&cursor=${next}`}`)).body;
      listed.push(...data.map(({ id }: { id: string }) => id));
      next = meta.next_cursor;
    }
    expect(listed.sort()).toEqual(made.sort());
  });
});

describe('two tenants', () => {
  it('have each their own record, object and URL of the same bytes', async () => {
    const [one, two] = [await world(), await world()];
    const bytes = png(6, 6);
    const [a, b] = [await uploaded(one, bytes), await uploaded(two, bytes)];
    expect(a.id).not.toBe(b.id);
    expect(a.url).not.toBe(b.url);
    expectProblem(await two.get(`/media/${a.id}`), 404, 'media_not_found');
    expectProblem(await two.delete(`/media/${a.id}`), 404, 'media_not_found');
    expect((await two.get('/media')).body.data).toEqual([{ ...b, product_ids: [] }]);
    expect((await two.delete(`/media/${b.id}`)).status).toBe(204);
    expect((await fetchImage(a.url)).status).toBe(200);
    expect((await fetchImage(b.url)).status).toBe(404);
    expect((await one.get(`/media/${a.id}`)).status).toBe(200);
  });

  it('cannot tell from an upload whether the other has the image', async () => {
    const [one, two] = [await world(), await world()];
    const bytes = png(6, 7);
    await uploaded(one, bytes);
    const answer = await fetchImage(`https://api.example.com/media/${two.slug}/${sha256(bytes)}`);
    expect(answer.status).toBe(404);
    await answer.body?.cancel();
  });
});

it('needs the scope catalog:write', async () => {
  const shop = await world();
  const { token } = await shop.register({ kind: 'storefront' });
  const headers = { 'content-type': 'image/png' };
  expectProblem(
    await send('POST', '/v1/media', { token, raw: png(2, 2), headers }),
    403,
    'insufficient_scope',
  );
  expectProblem(await send('GET', '/v1/media', { token }), 403, 'insufficient_scope');
  expect((await env.MEDIA.list({ prefix: shop.slug })).objects).toEqual([]);
});
