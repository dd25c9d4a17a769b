import type { ReceivedBytes } from '../uploads/received-bytes.ts';
import type { ImageFault, ImageSize, Measure } from './measure.ts';

const FIRST_CHUNK = 12;
/** Chunks that hold pixels: lossy, lossless, and a frame of an animation. */
const PIXELS = new Set(['VP8 ', 'VP8L', 'ANMF']);

/** Measures a WebP (RFC 9649): the RIFF container covers the whole file and has image data. */
export const measureWebp: Measure = (bytes) => {
  const end = 8 + bytes.uintLe(4, 4);
  if (!(end <= bytes.size)) return 'truncated';
  if (end < bytes.size) return 'trailing_data';
  const size = sizeOf(bytes);
  if (typeof size === 'string') return size;
  let pixels = false;
  for (let at = FIRST_CHUNK; at < end; ) {
    const length = bytes.uintLe(at + 4, 4);
    if (!(at + 8 + length <= end)) return 'truncated';
    pixels ||= PIXELS.has(bytes.latin1(at, 4));
    // Chunks of an odd length are padded.
    at += 8 + length + (length % 2);
  }
  return pixels ? size : 'damaged';
};

/** Returns the size from the first chunk: extended, lossy or lossless. */
function sizeOf(bytes: ReceivedBytes): ImageSize | ImageFault {
  const at = FIRST_CHUNK + 8;
  if (bytes.size < at + 10) return 'truncated';
  const size = sizes[bytes.latin1(FIRST_CHUNK, 4)]?.(bytes, at) ?? null;
  return size && size.width > 0 && size.height > 0 ? size : 'damaged';
}

const sizes: Readonly<Record<string, (bytes: ReceivedBytes, at: number) => ImageSize | null>> = {
  VP8X: (bytes, at) => ({ width: 1 + bytes.uintLe(at + 4, 3), height: 1 + bytes.uintLe(at + 7, 3) }),
  // A key frame: 3 bytes of tag, the start code, then width and height of 14 bits, each with a scale.
  'VP8 ': (bytes, at) =>
    bytes.uint(at + 3, 3) === 0x9d012a
      ? { width: bytes.uintLe(at + 6, 2) & 0x3fff, height: bytes.uintLe(at + 8, 2) & 0x3fff }
      : null,
  VP8L: (bytes, at) => {
    const bits = bytes.uintLe(at + 1, 4);
    if (bytes.byteAt(at) !== 0x2f) return null;
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  },
};
