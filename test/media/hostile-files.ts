import { avif, type Bytes, box, chunk, gif, join, jpeg, png, segment, uint, uintLe } from './images.ts';

/** Files that nobody should be able to store: what they are, what they are declared as, and the refusal. */

const HTML = '<!doctype html><script>alert(document.domain)</script>';

const ZIP = `PK\x03\x04${'x'.repeat(60)}`;

export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

export const header = (width: number, height: number) =>
  chunk('IHDR', join(uint(width, 4), uint(height, 4), 8, 2, 0, 0, 0));

const emptyPng = (width: number, height: number) =>
  join(PNG_SIGNATURE, header(width, height), chunk('IDAT', join(1)), chunk('IEND', join()));

const riff = (...parts: readonly Uint8Array[]) => {
  const content = join('WEBP', ...parts);
  return join('RIFF', uintLe(content.length, 4), content);
};

const riffChunk = (type: string, data: Uint8Array) => join(type, uintLe(data.length, 4), data);

const extended = (width: number, height: number) =>
  riffChunk('VP8X', join(0, 0, 0, 0, uintLe(width - 1, 3), uintLe(height - 1, 3)));

type Refusal = readonly [what: string, type: string, file: Bytes | string, refused: string];

export const WRONG_TYPE: readonly Refusal[] = [
  ['nothing', 'image/png', '', 'null'],
  ['one byte', 'image/jpeg', '\xff', 'null'],
  ['HTML', 'image/png', HTML, 'null'],
  ['SVG', 'image/png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'null'],
  ['SVG with a byte order mark', 'image/gif', '\ufeff<?xml version="1.0"?><svg/>', 'null'],
  ['a PDF', 'image/jpeg', '%PDF-1.7', 'null'],
  ['a ZIP', 'image/webp', ZIP, 'null'],
  ['a TIFF', 'image/jpeg', 'II*\0', 'null'],
  ['a BMP', 'image/png', 'BM', 'null'],
  ['a WAV in RIFF', 'image/webp', 'RIFF\x04\0\0\0WAVE', 'null'],
  ['an HEIC', 'image/avif', box('ftyp', 'heic', uint(0, 4), 'mif1heic'), 'null'],
  ['an MP4', 'image/avif', box('ftyp', 'isom', uint(0, 4), 'isommp41'), 'null'],
  ['a PNG that is called a JPEG', 'image/jpeg', png(2, 2), 'image/png'],
  ['a JPEG that is called a PNG', 'image/png', jpeg(8, 8), 'image/jpeg'],
  ['a GIF that is called an AVIF', 'image/avif', gif(2, 2), 'image/gif'],
  ['an AVIF that is called a GIF', 'image/gif', avif(2, 2), 'image/avif'],
  ['a text before a PNG', 'image/png', join('x', png(2, 2)), 'null'],
];

const tail = (bytes: Bytes, less: number) => bytes.slice(0, bytes.length - less);

export const BROKEN: readonly Refusal[] = [
  ['a PNG without its end', 'image/png', tail(png(20, 20), 12), 'truncated'],
  ['half a PNG', 'image/png', png(20, 20).slice(0, 60), 'truncated'],
  ['the signature of a PNG', 'image/png', join(PNG_SIGNATURE), 'truncated'],
  ['a PNG of 100 megapixels', 'image/png', emptyPng(10_000, 10_000), 'too_many_pixels'],
  ['a PNG of 2^31 pixels a side', 'image/png', emptyPng(2 ** 31, 1), 'too_many_pixels'],
  ['a PNG with a side of 0', 'image/png', emptyPng(0, 10), 'damaged'],
  ['a PNG without data', 'image/png', join(PNG_SIGNATURE, header(2, 2), chunk('IEND', join())), 'damaged'],
  [
    'a PNG with two headers',
    'image/png',
    join(PNG_SIGNATURE, header(2, 2), header(9, 9), chunk('IEND', join())),
    'damaged',
  ],
  ['a PNG with HTML behind it', 'image/png', join(png(2, 2), HTML), 'trailing_data'],
  ['a PNG with a ZIP behind it', 'image/png', join(png(2, 2), ZIP), 'trailing_data'],
  [
    'a PNG whose chunk has 4 GiB',
    'image/png',
    join(PNG_SIGNATURE, header(2, 2), uint(2 ** 32 - 1, 4), 'IDATx', new Uint8Array(30)),
    'truncated',
  ],
  ['a JPEG without its end', 'image/jpeg', tail(jpeg(64, 64), 2), 'truncated'],
  ['the signature of a JPEG', 'image/jpeg', join(0xff, 0xd8, 0xff), 'truncated'],
  ['a JPEG that ends at once', 'image/jpeg', join(0xff, 0xd8, 0xff, 0xd9), 'damaged'],
  ['a JPEG without a frame', 'image/jpeg', join(0xff, 0xd8, segment(0xda, join(0)), 0xff, 0xd9), 'damaged'],
  [
    'a JPEG of two frames',
    'image/jpeg',
    join(0xff, 0xd8, ...Array(2).fill(segment(0xc0, join(8, 0, 9, 0, 9, 0))), 0xff, 0xd9),
    'damaged',
  ],
  [
    'a JPEG of 60,000 pixels a side',
    'image/jpeg',
    join(
      0xff,
      0xd8,
      segment(0xc0, join(8, uint(60_000, 2), uint(60_000, 2), 1)),
      segment(0xda, join(0)),
      0,
      0xff,
      0xd9,
    ),
    'too_many_pixels',
  ],
  ['a JPEG with HTML behind it', 'image/jpeg', join(jpeg(8, 8), HTML), 'trailing_data'],
  ['a JPEG with zeros and a ZIP behind it', 'image/jpeg', join(jpeg(8, 8), 0, 0, ZIP), 'trailing_data'],
  [
    'a JPEG with another one and a ZIP behind it',
    'image/jpeg',
    join(jpeg(8, 8), jpeg(8, 8), ZIP),
    'trailing_data',
  ],
  [
    'a JPEG with 20 others behind it',
    'image/jpeg',
    join(...Array.from({ length: 21 }, () => jpeg(8, 8))),
    'trailing_data',
  ],
  [
    'a JPEG with a segment that never ends',
    'image/jpeg',
    join(0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 'JFIF'),
    'truncated',
  ],
  ['a JPEG of fill bytes', 'image/jpeg', join(0xff, 0xd8, new Uint8Array(5_000).fill(0xff)), 'truncated'],
  ['a GIF without its end', 'image/gif', tail(gif(4, 4), 1), 'truncated'],
  [
    'a GIF without an image',
    'image/gif',
    join('GIF89a', uintLe(4, 2), uintLe(4, 2), 0, 0, 0, ';'),
    'damaged',
  ],
  ['a GIF with a side of 0', 'image/gif', gif(0, 4), 'damaged'],
  ['a GIF of 65,535 pixels a side', 'image/gif', gif(65_535, 65_535), 'too_many_pixels'],
  [
    'a GIF that is JavaScript as well',
    'image/gif',
    join('GIF89a/*', gif(4, 4).slice(8), '*/=alert(1)'),
    'trailing_data',
  ],
  ['a GIF with HTML behind it', 'image/gif', join(gif(4, 4), HTML), 'trailing_data'],
  [
    'a WebP that is longer than its container',
    'image/webp',
    join(riff(extended(2, 2), riffChunk('VP8 ', join(0, 0))), ZIP),
    'trailing_data',
  ],
  [
    'a WebP that is shorter than its container',
    'image/webp',
    tail(riff(extended(2, 2), riffChunk('VP8 ', join(0, 0))), 1),
    'truncated',
  ],
  ['a WebP without pixels', 'image/webp', riff(extended(2, 2), riffChunk('EXIF', join(0, 0))), 'damaged'],
  [
    'a WebP of 16 million pixels a side',
    'image/webp',
    riff(extended(2 ** 24, 2 ** 24), riffChunk('VP8 ', join(0, 0))),
    'too_many_pixels',
  ],
  ['a WebP with an unknown start', 'image/webp', riff(riffChunk('ABCD', new Uint8Array(20))), 'damaged'],
  [
    'an AVIF without an item',
    'image/avif',
    join(box('ftyp', 'avif', uint(0, 4)), box('mdat', 'x')),
    'damaged',
  ],
  ['an AVIF without data', 'image/avif', tail(avif(4, 4), 44), 'damaged'],
  ['an AVIF without its end', 'image/avif', tail(avif(4, 4), 1), 'truncated'],
  ['an AVIF with HTML behind it', 'image/avif', join(avif(4, 4), HTML), 'truncated'],
  ['an AVIF of 100 megapixels', 'image/avif', avif(10_000, 10_000), 'too_many_pixels'],
  ['an AVIF with a side of 0', 'image/avif', avif(0, 10), 'damaged'],
  [
    'an AVIF of boxes of no size',
    'image/avif',
    join(box('ftyp', 'avif', uint(0, 4)), box('meta', uint(0, 4), uint(4, 4), 'pitm')),
    'damaged',
  ],
];
