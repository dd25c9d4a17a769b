import type { ReceivedBytes } from '../uploads/received-bytes.ts';
import type { ImageSize, Measure } from './measure.ts';

/** A box of ISO/IEC 14496-12: its type, and where its content begins and ends. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The most boxes of one level, and the most properties and items that are looked at. */
const MAX_BOXES = 4_096;

/**
 * Measures an AVIF (AV1 Image File Format 1.1): boxes that cover the whole file, image data, and the size and
 * rotation of the primary item.
 */
export const measureAvif: Measure = (bytes) => {
  const boxes = boxesOf(bytes, 0, bytes.size);
  if (boxes === null) return 'truncated';
  const meta = boxes.find(({ type }) => type === 'meta');
  if (!meta || !boxes.some(({ type }) => type === 'mdat')) return 'damaged';
  const parts = boxesOf(bytes, meta.start + 4, meta.end);
  const item = parts?.find(({ type }) => type === 'pitm');
  const properties = parts?.find(({ type }) => type === 'iprp');
  if (!item || !properties) return 'damaged';
  const primary = bytes.uint(item.start + 4, bytes.byteAt(item.start) === 0 ? 2 : 4);
  return sizeOf(bytes, properties, primary) ?? 'damaged';
};

/**
 * Returns the length of a box and of its head (bytes). A length of 1 is followed by one of 64 bits, and a box of length
 * 0 reaches to the end (ISO/IEC 14496-12, 4.2).
 */
function lengthsOf(bytes: ReceivedBytes, at: number, to: number): { head: number; length: number } {
  const length = bytes.uint(at, 4);
  if (length === 0) return { head: 8, length: to - at };
  return length === 1 ? { head: 16, length: bytes.uint(at + 8, 8) } : { head: 8, length };
}

/** Returns the boxes between two positions, or `null` if they don't fill the space exactly. */
function boxesOf(bytes: ReceivedBytes, from: number, to: number): Box[] | null {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    const { head, length } = lengthsOf(bytes, at, to);
    if (!(at + head <= to && length >= head && at + length <= to) || boxes.length === MAX_BOXES) return null;
    boxes.push({ type: bytes.latin1(at + 4, 4), start: at + head, end: at + length });
    at += length;
  }
  return boxes;
}

/** Returns the size of an item from its properties: `ispe`, exchanged by an `irot` of 90 or 270 degrees. */
function sizeOf(bytes: ReceivedBytes, { start, end }: Box, item: number): ImageSize | null {
  const parts = boxesOf(bytes, start, end);
  const container = parts?.find(({ type }) => type === 'ipco');
  const associations = parts?.find(({ type }) => type === 'ipma');
  const properties = container && boxesOf(bytes, container.start, container.end);
  if (!properties || !associations) return null;
  const own = propertiesOf(bytes, associations, item).flatMap((n) => properties[n - 1] ?? []);
  const extent = own.find(({ type }) => type === 'ispe');
  if (!extent) return null;
  const [width, height] = [bytes.uint(extent.start + 4, 4), bytes.uint(extent.start + 8, 4)];
  if (!(width > 0 && height > 0)) return null;
  const rotation = own.find(({ type }) => type === 'irot');
  const turned = rotation !== undefined && bytes.byteAt(rotation.start) % 2 === 1;
  return turned ? { width: height, height: width } : { width, height };
}

/** Returns the numbers (from 1) of an item's properties, from the box `ipma`. */
function propertiesOf(bytes: ReceivedBytes, { start, end }: Box, item: number): number[] {
  const idBytes = bytes.byteAt(start) === 0 ? 2 : 4;
  const wide = bytes.byteAt(start + 3) % 2 === 1;
  const items = bytes.uint(start + 4, 4);
  let at = start + 8;
  for (let n = 0; n < items && n < MAX_BOXES && at < end; n++) {
    const [id, count] = [bytes.uint(at, idBytes), bytes.byteAt(at + idBytes)];
    at += idBytes + 1;
    const numbers = Array.from({ length: count || 0 }, (_, k) =>
      wide ? bytes.uint(at + 2 * k, 2) & 0x7fff : bytes.byteAt(at + k) & 0x7f,
    );
    if (id === item) return numbers;
    at += count * (wide ? 2 : 1);
  }
  return [];
}
