import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, tail]);
}

/** The most colours of an indexed PNG. */
const MAX_COLORS = 256;

/**
 * Returns the most frequent colours (as 0xRRGGBB), and for each colour of the picture the index of the nearest one.
 * The others are mixtures along edges, where a neighbour does as well.
 */
function paletteOf(colors: Uint32Array): { palette: number[]; indexes: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color);
  const palette = byCount.slice(0, MAX_COLORS);
  const distance = (a: number, b: number) =>
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
  const nearest = (color: number) => {
    let best = 0;
    for (let n = 1; n < palette.length; n++) {
      if (distance(color, palette[n] ?? 0) < distance(color, palette[best] ?? 0)) best = n;
    }
    return best;
  };
  return {
    palette,
    indexes: new Map(byCount.map((color, n) => [color, n < MAX_COLORS ? n : nearest(color)])),
  };
}

/** Encodes rows of colours (0xRRGGBB) as an indexed PNG. */
export function encodePng(colors: Uint32Array, width: number): Buffer {
  const { palette, indexes } = paletteOf(colors);
  const height = colors.length / width;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + 1 + x] = indexes.get(colors[y * width + x] ?? 0) ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits, indexed.
  header.set([8, 3], 8);
  const table = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', table),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
