/** Images made by code, whole and broken, and calls that upload and fetch them. */

import { env, exports } from 'cloudflare:workers';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from 'vitest';
import type { ImageType } from '../../src/media/uploads/detect-image.ts';
import type { Answer, World } from '../support/world.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Joins numbers (bytes), text (Latin-1) and bytes. */
export function join(...parts: readonly (number | string | Uint8Array)[]): Bytes {
  const all = parts.map((part) => {
    if (typeof part === 'number') return [part];
    return typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part;
  });
  const joined = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A big-endian integer. */
export const uint = (value: number, length: number): Bytes =>
  Uint8Array.from({ length }, (_, n) => Math.floor(value / 256 ** (length - 1 - n)) % 256);
/** A little-endian integer. */
export const uintLe = (value: number, length: number): Bytes => uint(value, length).reverse();

export const chunk = (type: string, data: Uint8Array): Bytes =>
  join(uint(data.length, 4), type, data, uint(crc32(join(type, data)), 4));

let made = 0;

/** A PNG of this size; each has other pixels, and so another hash. */
export function png(width: number, height: number): Bytes {
  made += 1;
  const pixels = new Uint8Array((width * 3 + 1) * height);
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % (width * 3 + 1) === 0 ? 0 : (at * made) % 251;
  const random = new TextEncoder().encode(crypto.randomUUID());
  return join(
    '\x89PNG\r\n\x1a\n',
    chunk('IHDR', join(uint(width, 4), uint(height, 4), 8, 2, 0, 0, 0)),
    chunk('tEXt', join('Comment\0', random)),
    chunk('IDAT', new Uint8Array(deflateSync(pixels))),
    chunk('IEND', new Uint8Array()),
  );
}

/** A GIF of one colour. */
export const gif = (width: number, height: number): Bytes =>
  join(
    'GIF89a',
    uintLe(width, 2),
    uintLe(height, 2),
    0x80,
    0,
    0,
    [...'\0\0\0\xff\xff\xff'].join(''),
    GIF_FRAME,
    ';',
  );

const GIF_FRAME = join(0x2c, uintLe(0, 4), uintLe(1, 2), uintLe(1, 2), 0, 2, 2, 0x44, 0x01, 0);

export const segment = (marker: number, data: Uint8Array): Bytes =>
  join(0xff, marker, uint(data.length + 2, 2), data);

/** An EXIF segment with an orientation and a place: a GPS directory with a latitude. */
export function exif(orientation: number): Bytes {
  const entry = (tag: number, type: number, count: number, value: Uint8Array) =>
    join(uint(tag, 2), uint(type, 2), uint(count, 4), value);
  const main = join(
    uint(2, 2),
    entry(0x0112, 3, 1, join(uint(orientation, 2), 0, 0)),
    entry(0x8825, 4, 1, uint(38, 4)),
    uint(0, 4),
  );
  const gps = join(uint(1, 2), entry(0x0001, 2, 2, join('N\0\0\0')), uint(0, 4));
  return segment(0xe1, join('Exif\0\0MM', uint(42, 2), uint(8, 4), main, gps, 'GPSLatitude 47.1'));
}

/** A grey baseline JPEG of this size: every block has the same brightness. */
export function jpeg(width: number, height: number, more: Uint8Array = new Uint8Array()): Bytes {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const table = (kind: number) => segment(0xc4, join(kind, 1, new Uint8Array(15), 0));
  // Two bits for each block, all zero; the last byte is filled up with ones.
  const data = new Uint8Array(Math.ceil(blocks / 4));
  if (blocks % 4) data[data.length - 1] = 0xff >> ((blocks % 4) * 2);
  return join(
    0xff,
    0xd8,
    more,
    segment(0xfe, new TextEncoder().encode(crypto.randomUUID())),
    segment(0xdb, join(0, new Uint8Array(64).fill(1))),
    segment(0xc0, join(8, uint(height, 2), uint(width, 2), 1, 1, 0x11, 0)),
    table(0x00),
    table(0x10),
    segment(0xda, join(1, 1, 0, 0, 63, 0)),
    data,
    0xff,
    0xd9,
  );
}

/** A picture as a real encoder writes it. */
export async function encoded(
  type: Exclude<ImageType, 'image/gif'>,
  width: number,
  height: number,
): Promise<Bytes> {
  const { body } = new Response(png(width, height));
  if (!body || !env.IMAGES) throw new Error('There is no Images binding');
  const result = await env.IMAGES.input(body).output({ format: type });
  return new Uint8Array(await new Response(result.image()).arrayBuffer());
}

/** A box of ISO/IEC 14496-12. */
export const box = (type: string, ...parts: readonly (number | string | Uint8Array)[]): Bytes => {
  const content = join(...parts);
  return join(uint(content.length + 8, 4), type, content);
};

/** The file of an AVIF whose primary item has this size and rotation (in quarter turns); no pixels. */
export function avif(width: number, height: number, quarters = 0, brand = 'avif'): Bytes {
  const properties = box(
    'ipco',
    box('ispe', uint(0, 4), uint(64, 4), uint(64, 4)),
    box('ispe', uint(0, 4), uint(width, 4), uint(height, 4)),
    box('irot', quarters),
  );
  const associations = box('ipma', uint(0, 4), uint(2, 4), uint(1, 2), 1, 1, uint(2, 2), 2, 2, 0x83);
  const meta = box(
    'meta',
    uint(0, 4),
    box('pitm', uint(0, 4), uint(2, 2)),
    box('iprp', properties, associations),
  );
  return join(box('ftyp', brand, uint(0, 4), 'mif1avif'), meta, box('mdat', crypto.randomUUID()));
}

/** Uploads an image; its type is PNG by default. */
export const upload = (
  shop: World,
  raw: BodyInit,
  type = 'image/png',
  headers: Record<string, string> = {},
): Promise<Answer> => shop.post('/media', undefined, { raw, headers: { ...headers, 'content-type': type } });

/** Uploads an image and returns the record. */
export async function uploaded(shop: World, raw: BodyInit, type?: string): Promise<Answer['body']> {
  const answer = await upload(shop, raw, type);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** Fetches a public URL, as a browser does. */
export const fetchImage = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  exports.default.fetch(new Request(url, { method, headers }));

/** The bytes of a response. */
export const bytesOf = async (response: Response): Promise<Bytes> =>
  new Uint8Array(await response.arrayBuffer());

/** The keys of a tenant's objects. */
export const objectsOf = async ({ slug }: World): Promise<string[]> =>
  (await env.MEDIA.list({ prefix: `${slug}/` })).objects.map(({ key }) => key);
