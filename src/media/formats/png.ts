import type { Measure } from './measure.ts';

/** Length, type and checksum of a chunk. */
const CHUNK_OVERHEAD = 12;
const SIGNATURE_BYTES = 8;
const BIT_DEPTHS = new Set([1, 2, 4, 8, 16]);
const COLOR_TYPES = new Set([0, 2, 3, 4, 6]);

/** Measures a PNG (W3C PNG, third edition): `IHDR` first, image data, and nothing behind `IEND`. */
export const measurePng: Measure = (bytes) => {
  if (bytes.size < SIGNATURE_BYTES + CHUNK_OVERHEAD + 13) return 'truncated';
  const header = SIGNATURE_BYTES + 8;
  if (bytes.uint(SIGNATURE_BYTES, 4) !== 13 || bytes.latin1(SIGNATURE_BYTES + 4, 4) !== 'IHDR')
    return 'damaged';
  const [width, height] = [bytes.uint(header, 4), bytes.uint(header + 4, 4)];
  const known = BIT_DEPTHS.has(bytes.byteAt(header + 8)) && COLOR_TYPES.has(bytes.byteAt(header + 9));
  if (width === 0 || height === 0 || !known) return 'damaged';
  let data = false;
  for (let at = SIGNATURE_BYTES + CHUNK_OVERHEAD + 13; at < bytes.size; ) {
    const length = bytes.uint(at, 4);
    if (!(at + CHUNK_OVERHEAD + length <= bytes.size)) return 'truncated';
    const type = bytes.latin1(at + 4, 4);
    if (!/^[A-Za-z]{4}$/.test(type) || type === 'IHDR') return 'damaged';
    at += CHUNK_OVERHEAD + length;
    data ||= type === 'IDAT' && length > 0;
    if (type !== 'IEND') continue;
    if (length > 0 || !data) return 'damaged';
    return at === bytes.size ? { width, height } : 'trailing_data';
  }
  return 'truncated';
};
