import type { ReceivedBytes } from '../uploads/received-bytes.ts';
import type { ImageFault, Measure } from './measure.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Measures a GIF (GIF89a): the logical screen, at least one image, and only zeros behind the trailer. */
export const measureGif: Measure = (bytes) => {
  if (bytes.size < 13) return 'truncated';
  const [width, height] = [bytes.uintLe(6, 2), bytes.uintLe(8, 2)];
  if (width === 0 || height === 0) return 'damaged';
  let images = 0;
  let at: number | ImageFault = 13 + colorTable(bytes.byteAt(10));
  while (typeof at === 'number' && bytes.byteAt(at) !== TRAILER) {
    if (bytes.byteAt(at) === IMAGE) images += 1;
    at = endOfBlock(bytes, at);
  }
  if (typeof at === 'string') return at;
  if (images === 0) return 'damaged';
  return bytes.skipZeros(at + 1) === bytes.size ? { width, height } : 'trailing_data';
};

/** Returns the position behind an image or extension. */
function endOfBlock(bytes: ReceivedBytes, at: number): number | ImageFault {
  const block = bytes.byteAt(at);
  if (Number.isNaN(block)) return 'truncated';
  // An image: descriptor of 10 bytes, local colour table, code size. An extension: its label.
  if (block === IMAGE) return endOfData(bytes, at + 11 + colorTable(bytes.byteAt(at + 9)));
  return block === EXTENSION ? endOfData(bytes, at + 2) : 'damaged';
}

/** Returns the size in bytes of the colour table that the flags announce. */
const colorTable = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Returns the position behind a sequence of data blocks. */
function endOfData(bytes: ReceivedBytes, from: number): number | ImageFault {
  for (let at = from; ; ) {
    const length = bytes.byteAt(at);
    if (Number.isNaN(length)) return 'truncated';
    at += 1 + length;
    if (length === 0) return at;
  }
}
