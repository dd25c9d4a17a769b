import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { type Answer, send, type World, world } from '../support/world.ts';
import { type Bytes, bytesOf, fetchImage, objectsOf, png, uploaded } from './images.ts';
import { counted } from './media-calls.ts';

/** `GET /media/{tenant}/{hash}`: what browsers and strangers get. */

let shop: World;

let bytes: Bytes;

let image: Answer['body'];

beforeAll(async () => {
  shop = await world();
  bytes = png(100, 50);
  image = await uploaded(shop, bytes);
});

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

describe('the original', () => {
  it('may be kept for a year, runs nothing, and may be shown anywhere', async () => {
    const response = await fetchImage(image.url);
    const hash = image.url.split('/').at(-1);
    expect(Object.fromEntries(response.headers)).toEqual({
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(bytes.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${hash}"`,
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(await bytesOf(response)).toEqual(bytes);
  });

  it('costs one call to R2 and nothing else', async () => {
    const { calls, env: watched } = counted();
    for (const [method, headers] of [
      ['GET', {}],
      ['HEAD', {}],
      ['GET', { 'if-none-match': '*' }],
    ] as const) {
      calls.length = 0;
      const response = await fetchWith(watched, method, pathOf(image.url), null, { headers });
      await response.arrayBuffer();
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatch(/^MEDIA\.(get|head)$/);
    }
  });

  it('answers HEAD with the headers of GET', async () => {
    const [get, head] = [await fetchImage(image.url), await fetchImage(image.url, {}, 'HEAD')];
    const fields = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'x-request-id');
    expect(fields(head)).toEqual(fields(get));
    expect((await bytesOf(head)).length).toBe(0);
    await get.arrayBuffer();
  });

  it('answers 304 to who has it', async () => {
    const { headers } = await fetchImage(image.url, {}, 'HEAD');
    const etag = headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await fetchImage(image.url, { 'if-none-match': known });
      expect([response.status, response.headers.get('etag')]).toEqual([304, etag]);
      expect((await bytesOf(response)).length).toBe(0);
    }
    const other = await fetchImage(image.url, { 'if-none-match': '"x"' });
    expect(other.status).toBe(200);
    await other.arrayBuffer();
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, null],
    ['bytes=-5', -5, null],
    ['bytes=-999999', 0, null],
    ['bytes=5-999999', 5, null],
  ] as const)('gives the part %s', async (range, from, to) => {
    const response = await fetchImage(image.url, { range });
    const part = to === null ? bytes.slice(from) : bytes.slice(from, to);
    const first = from < 0 ? bytes.length + from : from;
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(
      `bytes ${first}-${first + part.length - 1}/${bytes.length}`,
    );
    expect(response.headers.get('content-length')).toBe(String(part.length));
    expect(await bytesOf(response)).toEqual(part);
  });

  it.each(['bytes=0-1,3-4', 'bytes=9-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0x1-2'])(
    'gives all of itself for %s',
    async (range) => {
      const response = await fetchImage(image.url, { range });
      expect(response.status).toBe(200);
      expect(await bytesOf(response)).toEqual(bytes);
    },
  );

  it.each(['bytes=999999-', 'bytes=999999-9999999', 'bytes=-0'])('has no part %s', async (range) => {
    const response = await fetchImage(image.url, { range });
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    await response.body?.cancel();
  });

  it('gives a part only of what the client has: If-Range', async () => {
    const etag = (await fetchImage(image.url, {}, 'HEAD')).headers.get('etag') ?? '';
    const same = await fetchImage(image.url, { range: 'bytes=0-3', 'if-range': etag });
    const other = await fetchImage(image.url, { range: 'bytes=0-3', 'if-range': '"x"' });
    expect([same.status, other.status]).toEqual([206, 200]);
    await Promise.all([same.arrayBuffer(), other.arrayBuffer()]);
  });
});

describe('a copy', () => {
  const wide = () => uploaded(shop, png(700, 350));
  const sizeOf = async (response: Response) => {
    const { body } = new Response(await response.arrayBuffer());
    if (!body || !env.IMAGES) throw new Error('There is no Images binding');
    return env.IMAGES.info(body);
  };

  it.each([160, 320, 640])('has the width %i, is WebP, and is kept in R2', async (width) => {
    const { url } = await wide();
    const first = await fetchImage(`${url}?w=${width}`);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(first.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    const again = await fetchImage(`${url}?w=${width}`);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.headers.get('content-length')).toBe(first.headers.get('content-length'));
    const content = await first.clone().arrayBuffer();
    expect(await again.arrayBuffer()).toEqual(content);
    expect(await sizeOf(first)).toMatchObject({ format: 'image/webp', width, height: width / 2 });
    expect(await objectsOf(shop)).toContain(`${shop.slug}/${url.split('/').at(-1)}/${width}`);
  });

  it('is made once, and then costs one call to R2', async () => {
    const { url } = await wide();
    const { calls, env: watched } = counted();
    await (await fetchWith(watched, 'GET', `${pathOf(url)}?w=320`, null)).arrayBuffer();
    expect(calls).toEqual(['MEDIA.get', 'MEDIA.get', 'MEDIA.put']);
    calls.length = 0;
    await (await fetchWith(watched, 'GET', `${pathOf(url)}?w=320`, null)).arrayBuffer();
    expect(calls).toEqual(['MEDIA.get']);
  });

  it('is made once for many concurrent requests', async () => {
    const { url } = await wide();
    const { calls, env: watched } = counted();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => fetchWith(watched, 'GET', `${pathOf(url)}?w=640`, null)),
    );
    const types = new Set(responses.map(({ headers }) => headers.get('content-type')));
    expect([...types]).toEqual(['image/webp']);
    await Promise.all(responses.map((response) => response.arrayBuffer()));
    expect(calls.filter((call) => call === 'MEDIA.put')).toHaveLength(1);
  });

  it('is given in parts, as HEAD and as 304, too', async () => {
    const { url } = await wide();
    const whole = await bytesOf(await fetchImage(`${url}?w=160`));
    const part = await fetchImage(`${url}?w=160`, { range: 'bytes=2-5' });
    expect([part.status, await bytesOf(part)]).toEqual([206, whole.slice(2, 6)]);
    const head = await fetchImage(`${url}?w=160`, {}, 'HEAD');
    expect(head.headers.get('content-length')).toBe(String(whole.length));
    const etag = head.headers.get('etag') ?? '';
    expect((await fetchImage(`${url}?w=160`, { 'if-none-match': etag })).status).toBe(304);
    expect((await fetchImage(url, { 'if-none-match': etag }, 'HEAD')).status).toBe(200);
  });

  it('is the original where that is no wider', async () => {
    const before = await objectsOf(shop);
    for (const width of [160, 1920]) {
      const response = await fetchImage(`${image.url}?w=${width}`);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(await bytesOf(response)).toEqual(bytes);
    }
    expect(await objectsOf(shop)).toEqual(before);
  });

  it('is the original where there is no Images binding', async () => {
    const own = png(400, 10);
    const { url } = await uploaded(shop, own);
    const { env: without } = counted(false);
    const response = await fetchWith(without, 'GET', `${pathOf(url)}?w=160`, null);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await bytesOf(response)).toEqual(own);
  });
});

describe('what is not there', () => {
  it.each([
    ['another hash', (url: string) => url.replace(/[^/]+$/, 'a'.repeat(64))],
    ['another tenant', (url: string) => url.replace(/media\/[^/]+/, 'media/nobody')],
    ['no hash', (url: string) => url.replace(/[^/]+$/, 'nothing')],
    ['a longer hash', (url: string) => `${url}a`],
    ['a hash in capitals', (url: string) => url.replace(/[^/]+$/, (hash) => hash.toUpperCase())],
    ['a path through the hash', (url: string) => url.replace(/\/([^/]+)$/, '%2F..%2F$1')],
    ['the key of a copy', (url: string) => `${url}%2F160`],
    ['a copy of another hash', (url: string) => `${url.replace(/[^/]+$/, 'a'.repeat(64))}?w=160`],
  ])('is 404, and kept by nobody: %s', async (_, change) => {
    expectProblem(await send('GET', pathOf(change(image.url))), 404, 'not_found');
  });

  it.each(['w=', 'w=0', 'w=161', 'w=0160', 'w=160.0', 'w=-160', 'w=99999', 'w=160&w=320', 'w=a'])(
    'is a width that is not listed: %s',
    async (query) => {
      const answer = await send('GET', `${pathOf(image.url)}?${query}`);
      expectProblem(answer, 422, 'validation_error');
      expect(Object.keys(answer.body.errors)).toEqual(['w']);
    },
  );

  it('is a parameter that is not known', async () => {
    const answer = await send('GET', `${pathOf(image.url)}?width=160&w=160`);
    expectProblem(answer, 422, 'validation_error');
    expect(answer.body.errors).toEqual({ width: ['is not a known parameter'] });
  });

  it('costs two calls to R2 at most', async () => {
    const { calls, env: watched } = counted();
    for (const [query, most] of [
      ['', 1],
      ['?w=160', 2],
      ['?w=7', 0],
    ] as const) {
      calls.length = 0;
      const path = `/media/${shop.slug}/${'b'.repeat(64)}${query}`;
      await (await fetchWith(watched, 'GET', path, null)).text();
      expect(calls.length).toBeLessThanOrEqual(most);
      expect(calls.every((call) => call === 'MEDIA.get')).toBe(true);
    }
  });
});
