import type { ReceivedBytes } from '../uploads/received-bytes.ts';
import type { ImageFault, ImageSize, Measure } from './measure.ts';

/** Length, type and checksum of a chunk. */
const CHUNK_OVERHEAD = 12;
const SIGNATURE_BYTES = 8;
const HEADER_BYTES = 13;
const BIT_DEPTHS = new Set([1, 2, 4, 8, 16]);
const COLOR_TYPES = new Set([0, 2, 3, 4, 6]);

/** Measures a PNG (W3C PNG, third edition): `IHDR` first, image data, and nothing behind `IEND`. */
export const measurePng: Measure = (bytes) => {
  const size = readHeader(bytes);
  if (typeof size === 'string') return size;
  let hasData = false;
  for (let at = SIGNATURE_BYTES + CHUNK_OVERHEAD + HEADER_BYTES; at < bytes.size; ) {
    const length = bytes.uint(at, 4);
    if (!(at + CHUNK_OVERHEAD + length <= bytes.size)) return 'truncated';
    const type = bytes.latin1(at + 4, 4);
    if (!/^[A-Za-z]{4}$/.test(type) || type === 'IHDR') return 'damaged';
    at += CHUNK_OVERHEAD + length;
    hasData ||= type === 'IDAT' && length > 0;
    if (type !== 'IEND') continue;
    if (length > 0 || !hasData) return 'damaged';
    return at === bytes.size ? size : 'trailing_data';
  }
  return 'truncated';
};

function readHeader(bytes: ReceivedBytes): ImageSize | ImageFault {
  const start = SIGNATURE_BYTES + 8;
  if (bytes.size < start + HEADER_BYTES + 4) return 'truncated';
  const isHeader =
    bytes.uint(SIGNATURE_BYTES, 4) === HEADER_BYTES && bytes.latin1(SIGNATURE_BYTES + 4, 4) === 'IHDR';
  if (!isHeader) return 'damaged';
  const [width, height] = [bytes.uint(start, 4), bytes.uint(start + 4, 4)];
  const isKnown = BIT_DEPTHS.has(bytes.byteAt(start + 8)) && COLOR_TYPES.has(bytes.byteAt(start + 9));
  return width === 0 || height === 0 || !isKnown ? 'damaged' : { width, height };
}
