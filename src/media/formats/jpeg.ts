import type { ReceivedBytes } from '../uploads/received-bytes.ts';
import type { ImageFault, ImageSize, Measure } from './measure.ts';

const MARKER = 0xff;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP1 = 0xe1;
/** The markers between C0 and CF that begin no frame: DHT, JPG and DAC. */
const NO_FRAME = new Set([0xc4, 0xc8, 0xcc]);
/** The most images of one file: the main one, and previews of the Multi-Picture Format behind it. */
const MAX_IMAGES = 16;
/** EXIF orientations that turn the image by 90 or 270 degrees (EXIF 2.32, 4.6.4). */
const TURNED = new Set([5, 6, 7, 8]);

interface Walked extends ImageSize {
  /** The position behind the image's end marker. */
  readonly end: number;
}

/**
 * Measures a JPEG (ITU-T T.81) up to its end marker. Behind it only zeros and further whole JPEGs are
 * accepted, as cameras append them. Width and height are exchanged as the EXIF orientation says.
 */
export const measureJpeg: Measure = (bytes) => {
  const first = walkImage(bytes, 0);
  if (typeof first === 'string') return first;
  let at = bytes.skipZeros(first.end);
  for (let images = 1; at < bytes.size; images++) {
    if (images === MAX_IMAGES || bytes.uint(at, 2) !== MARKER * 256 + SOI) return 'trailing_data';
    const next = walkImage(bytes, at);
    if (typeof next === 'string') return 'trailing_data';
    at = bytes.skipZeros(next.end);
  }
  return { width: first.width, height: first.height };
};

/** What the segments of an image say. */
interface Seen {
  size: ImageSize | null;
  turned: boolean;
  scans: number;
}

function walkImage(bytes: ReceivedBytes, start: number): Walked | ImageFault {
  const seen: Seen = { size: null, turned: false, scans: 0 };
  let at: number | ImageFault = start + 2;
  while (typeof at === 'number') {
    if (at + 2 > bytes.size) return 'truncated';
    if (bytes.byteAt(at) !== MARKER) return 'damaged';
    const marker = bytes.byteAt(at + 1);
    if (marker === EOI) {
      const { size, turned, scans } = seen;
      return size && scans > 0 ? { ...turn(size, turned), end: at + 2 } : 'damaged';
    }
    // Any number of fill bytes may precede a marker.
    at = marker === MARKER ? at + 1 : readSegment(bytes, at, seen);
  }
  return at;
}

/** Reads a segment, and a scan's data behind it. Returns the position behind them. */
function readSegment(bytes: ReceivedBytes, at: number, seen: Seen): number | ImageFault {
  const marker = bytes.byteAt(at + 1);
  const length = bytes.uint(at + 2, 2);
  const end = at + 2 + length;
  if (Number.isNaN(length) || end > bytes.size) return 'truncated';
  if (marker < 0xc0 || (marker >= 0xd0 && marker <= SOI) || length < 2) return 'damaged';
  if (isFrame(marker)) {
    const size = length < 8 ? null : frameSize(bytes, at);
    if (seen.size || !size) return 'damaged';
    seen.size = size;
  }
  if (marker === APP1) seen.turned ||= TURNED.has(orientation(bytes, at + 4, length - 2));
  if (marker !== SOS) return end;
  if (!seen.size) return 'damaged';
  seen.scans += 1;
  return endOfScan(bytes, end);
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.has(marker);

/** Returns the size in a frame's header, or null if it is empty. */
function frameSize(bytes: ReceivedBytes, at: number): ImageSize | null {
  const [height, width] = [bytes.uint(at + 5, 2), bytes.uint(at + 7, 2)];
  return width === 0 || height === 0 ? null : { width, height };
}

const turn = ({ width, height }: ImageSize, turned: boolean): ImageSize =>
  turned ? { width: height, height: width } : { width, height };

/** Returns the position of the first marker behind a scan's data. Restart markers belong to the data. */
function endOfScan(bytes: ReceivedBytes, from: number): number | ImageFault {
  for (let at = bytes.indexOf(MARKER, from); at >= 0; ) {
    const next = bytes.byteAt(at + 1);
    if (Number.isNaN(next)) return 'truncated';
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isData && next !== MARKER) return at;
    at = bytes.indexOf(MARKER, isData ? at + 2 : at + 1);
  }
  return 'truncated';
}

/** Returns the orientation (tag 0x0112 of IFD0) of an EXIF segment; 1 if there is none. */
function orientation(bytes: ReceivedBytes, at: number, length: number): number {
  const tiff = at + 6;
  const end = at + length;
  const order = bytes.latin1(tiff, 2);
  if (bytes.latin1(at, 6) !== 'Exif\0\0' || (order !== 'II' && order !== 'MM')) return 1;
  const uint = (position: number, size: number) =>
    order === 'II' ? bytes.uintLe(position, size) : bytes.uint(position, size);
  const directory = tiff + uint(tiff + 4, 4);
  const entries = directory + 2 <= end ? uint(directory, 2) : 0;
  for (let n = 0; n < entries; n++) {
    const entry = directory + 2 + n * 12;
    if (entry + 12 > end) return 1;
    if (uint(entry, 2) === 0x0112) return uint(entry + 8, 2);
  }
  return 1;
}
