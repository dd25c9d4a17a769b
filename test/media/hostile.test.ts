import { exports } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { detectImage } from '../../src/media/uploads/detect-image.ts';
import { ReceivedBytes } from '../../src/media/uploads/received-bytes.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { world } from '../support/world.ts';
import { BROKEN, header, PNG_SIGNATURE, WRONG_TYPE } from './hostile-files.ts';
import {
  avif,
  box,
  chunk,
  encoded,
  exif,
  gif,
  join,
  jpeg,
  objectsOf,
  png,
  uint,
  uintLe,
  upload,
} from './images.ts';

describe('a file that is no image', () => {
  it('is refused, whatever it is called, and nothing is stored', async () => {
    const shop = await world();
    for (const [what, type, file, detected] of WRONG_TYPE) {
      const raw = typeof file === 'string' ? join(file) : file;
      const answer = await upload(shop, raw, type);
      expect([what, answer.status, answer.body.code]).toEqual([what, 415, 'unsupported_media_type']);
      expect(answer.body.details).toEqual({
        declared: type,
        detected: detected === 'null' ? null : detected,
      });
    }
    expect(await objectsOf(shop)).toEqual([]);
  });

  it('is refused if it is declared as something else', async () => {
    const shop = await world();
    for (const type of ['image/svg+xml', 'image/*', 'image/heic', 'text/html', 'multipart/form-data']) {
      const answer = await upload(shop, png(2, 2), type);
      expectProblem(answer, 415, 'unsupported_media_type');
      expect(answer.body.details.takes).toContain('image/png');
    }
  });
});

describe('a broken image', () => {
  it('is refused with the reason, and nothing is stored', async () => {
    const shop = await world({ plan: 'enterprise' });
    for (const [what, type, file, reason] of BROKEN) {
      const answer = await upload(shop, file, type);
      expect([what, answer.status, answer.body.code, answer.body.details]).toEqual([
        what,
        422,
        'invalid_image',
        { reason },
      ]);
    }
    expect(await objectsOf(shop)).toEqual([]);
    expect((await shop.get('/media')).body.meta.total).toBe(0);
  });
});

const detect = (bytes: Uint8Array, type: string) => {
  const received = new ReceivedBytes();
  received.add(bytes);
  try {
    return detectImage(received, type);
  } finally {
    received.release();
  }
};

describe('detecting an image', () => {
  it('takes what cameras append: zeros, and further JPEGs', () => {
    const camera = join(jpeg(16, 8, exif(6)), new Uint8Array(64), jpeg(8, 8), jpeg(8, 8), 0);
    expect(detect(camera, 'image/jpeg')).toMatchObject({ ok: true, value: { width: 8, height: 16 } });
  });

  it('takes no image that lacks its end, wherever it is cut, and never throws', async () => {
    const files = [
      [png(9, 9), 'image/png'],
      [gif(9, 9), 'image/gif'],
      [jpeg(64, 64, exif(6)), 'image/jpeg'],
      [await encoded('image/webp', 64, 64), 'image/webp'],
      [await encoded('image/avif', 64, 64), 'image/avif'],
    ] as const;
    for (const [bytes, type] of files) {
      expect(detect(bytes, type).ok, type).toBe(true);
      for (let length = 0; length < bytes.length; length++) {
        expect(detect(bytes.slice(0, length), type).ok, `${type} cut at ${length}`).toBe(false);
      }
    }
  });

  it('never throws, whichever byte is changed', async () => {
    for (const [bytes, type] of [
      [png(9, 9), 'image/png'],
      [gif(9, 9), 'image/gif'],
      [jpeg(16, 16, exif(6)), 'image/jpeg'],
      [avif(40, 30), 'image/avif'],
      [await encoded('image/webp', 32, 32), 'image/webp'],
    ] as const) {
      for (let at = 0; at < Math.min(bytes.length, 600); at++) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const changed = bytes.slice();
          changed[at] = value;
          expect(() => detect(changed, type)).not.toThrow();
        }
      }
    }
  });

  it('comes to an end with 20 MiB of the worst that there is', () => {
    const size = 20 * 1024 * 1024;
    const start = jpeg(8, 8).slice(0, -2);
    const fill = (first: Uint8Array, rest: Uint8Array) => {
      const whole = new Uint8Array(size);
      whole.set(first);
      for (let at = first.length; at + rest.length < size; at += rest.length) whole.set(rest, at);
      return whole;
    };
    for (const [bytes, type] of [
      [fill(start, join(0xff)), 'image/jpeg'],
      [fill(start, join(0xff, 0)), 'image/jpeg'],
      [fill(join(PNG_SIGNATURE, header(2, 2)), chunk('tEXt', join())), 'image/png'],
      [fill(join('GIF89a', uintLe(4, 2), uintLe(4, 2), 0, 0, 0, '!\xff'), join(1, 0x21)), 'image/gif'],
      [fill(box('ftyp', 'avif', uint(0, 4)), box('free')), 'image/avif'],
    ] as const) {
      expect(detect(bytes, type).ok).toBe(false);
    }
  });
});

/** An upload that has sent 16 MiB and then nothing more. */
interface StalledUpload {
  readonly sent: Promise<Response>;
  /** Ends it on the client's side. */
  readonly disconnect: () => void;
}

/** Sends the first 16 MiB of an image; returns once they have arrived, or were refused. */
async function stallWithin(token: string): Promise<StalledUpload> {
  const client = new AbortController();
  const arrived = Promise.withResolvers<void>();
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (!isBegun) {
          isBegun = true;
          return controller.enqueue(
            join(PNG_SIGNATURE, new Uint8Array(16 * 1024 * 1024 - PNG_SIGNATURE.length)),
          );
        }
        client.signal.addEventListener('abort', () => controller.error(new Error('The client has gone')));
        arrived.resolve();
        return new Promise(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' };
  const { signal } = client;
  const sent = exports.default.fetch('https://api.example.com/v1/media', {
    method: 'POST',
    headers,
    body,
    signal,
  });
  await Promise.race([arrived.promise, sent]);
  return { sent, disconnect: () => client.abort() };
}

/** Sends the first 16 MiB of an image, and disconnects once they have arrived. */
async function disconnectWithin(token: string): Promise<void> {
  const { sent, disconnect } = await stallWithin(token);
  disconnect();
  await expect(sent).rejects.toThrow();
}

it('forgets uploads whose clients disconnect', async () => {
  const shop = await world();
  for (let n = 0; n < 4; n++) await disconnectWithin(shop.token);
  const next = async () => expect((await upload(shop, png(2, 2))).status).toBe(201);
  await vi.waitFor(next, { timeout: 60_000 });
});

it("leaves memory to other tenants while one's slow uploads hold all that it may", async () => {
  const [slow, other] = [await world(), await world()];
  const stalled: StalledUpload[] = [];
  for (let n = 0; n < 4; n++) stalled.push(await stallWithin(slow.token));
  expect((await upload(other, png(2, 2))).status).toBe(201);
  expectProblem(await upload(slow, png(2, 2)), 503, 'unavailable');
  for (const { disconnect } of stalled) disconnect();
  await Promise.allSettled(stalled.map(({ sent }) => sent));
  const next = async () => expect((await upload(slow, png(2, 2))).status).toBe(201);
  await vi.waitFor(next, { timeout: 60_000 });
});

it('refuses an upload while others hold the memory of the isolate', async () => {
  const shop = await world();
  const others = new ReceivedBytes();
  while (others.add(new Uint8Array(256 * 1024)));
  const answer = await upload(shop, png(2, 2));
  expectProblem(answer, 503, 'unavailable');
  expect(answer.headers.get('retry-after')).toBe('5');
  others.release();
  expect((await upload(shop, png(2, 2))).status).toBe(201);
});
