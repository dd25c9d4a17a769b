import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { serve } from '../../src/app.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { world } from '../support/world.ts';
import { bytesOf, encoded, exif, fetchImage, gif, jpeg, objectsOf, png, uploaded } from './images.ts';

/** The context of a request for which nobody waits. */
const anyContext = {
  waitUntil: () => undefined,
  passThroughOnException: () => undefined,
  props: {},
} as unknown as ExecutionContext; // all that is called

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

describe('a copy', () => {
  it('has no EXIF, and so no place; the original keeps what was uploaded', async () => {
    const shop = await world();
    const photo = jpeg(400, 200, exif(6));
    const { url } = await uploaded(shop, photo, 'image/jpeg');
    const copy = await bytesOf(await fetchImage(`${url}?w=160`));
    expect(textOf(copy)).toMatch(/^RIFF.{4}WEBP/s);
    for (const mark of ['Exif', 'EXIF', 'GPSLatitude']) expect(textOf(copy)).not.toContain(mark);
    expect(textOf(await bytesOf(await fetchImage(url)))).toContain('GPSLatitude');
  });

  it('is rotated as EXIF says, like the original when it is displayed', async () => {
    const shop = await world();
    const { url } = await uploaded(shop, jpeg(400, 800, exif(6)), 'image/jpeg');
    const { body } = new Response(await bytesOf(await fetchImage(`${url}?w=160`)));
    if (!body || !env.IMAGES) throw new Error('There is no Images binding');
    expect(await env.IMAGES.info(body)).toMatchObject({ width: 160, height: 80 });
  });

  it.each(['image/png', 'image/jpeg', 'image/webp', 'image/avif'] as const)('is made of %s', async (type) => {
    const shop = await world();
    const { url } = await uploaded(shop, await encoded(type, 400, 200), type);
    const copy = await fetchImage(`${url}?w=160`);
    expect(copy.headers.get('content-type')).toBe('image/webp');
    await copy.arrayBuffer();
  });
});

describe('an image that cannot be resized', () => {
  it('is served as it is, and tried again after an hour at the earliest', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const shop = await world();
    // Whole by its structure, but without pixels that could be decoded.
    const odd = gif(400, 200);
    const { url } = await uploaded(shop, odd, 'image/gif');
    let tries = 0;
    const IMAGES = {
      input: () => {
        tries += 1;
        throw new Error('IMAGES_TRANSFORM_ERROR 9412');
      },
    } as unknown as ImagesBinding; // all that is called
    const ask = async (method = 'GET') => {
      const path = `${new URL(url).pathname}?w=160`;
      return fetchWith({ ...env, IMAGES }, method, path, null);
    };
    for (let n = 0; n < 3; n++) {
      const response = await ask();
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/gif']);
      expect(response.headers.get('cache-control')).toBe('public, max-age=300');
      expect(await bytesOf(response)).toEqual(odd);
    }
    expect((await ask('HEAD')).headers.get('content-type')).toBe('image/gif');
    expect(tries).toBe(1);
    moveClock(61 * 60_000);
    await (await ask()).arrayBuffer();
    expect(tries).toBe(2);
    vi.restoreAllMocks();
  });
});

it('is made anew a minute after a request was cancelled that was making it', async () => {
  const shop = await world();
  const { url } = await uploaded(shop, png(400, 200));
  const path = `${new URL(url).pathname}?w=160`;
  const begun = Promise.withResolvers<void>();
  const IMAGES = {
    input: () => {
      begun.resolve();
      // As seen by others: the runtime never resumes what a cancelled request waited for.
      return { transform: () => ({ output: () => new Promise(() => undefined) }) };
    },
  } as unknown as ImagesBinding; // all that is called
  void Promise.resolve(serve(new Request(`https://api.example.com${path}`), { ...env, IMAGES }, anyContext));
  await begun.promise;
  moveClock(61_000);
  const copy = await fetchImage(`${url}?w=160`);
  expect(copy.headers.get('content-type')).toBe('image/webp');
  await copy.arrayBuffer();
});

it('is deleted with its copies', async () => {
  const shop = await world();
  const { id, url } = await uploaded(shop, png(400, 200));
  for (const width of [160, 320]) await (await fetchImage(`${url}?w=${width}`)).arrayBuffer();
  expect(await objectsOf(shop)).toHaveLength(3);
  expect((await shop.delete(`/media/${id}`)).status).toBe(204);
  expect(await objectsOf(shop)).toEqual([]);
  for (const path of [url, `${url}?w=160`, `${url}?w=640`]) {
    const response = await fetchImage(path);
    expect(response.status).toBe(404);
    await response.arrayBuffer();
  }
});
