import { encodePng } from './png.ts';
import { ellipse, moved, type Point, type Shape } from './shapes.ts';

/** Side of a picture in pixels. */
const PICTURE_PX = 640;
const SCALE = PICTURE_PX / 100;
/** Scan lines for each row of pixels, for smooth edges. */
const LINES = 4;

/** A colour as `#RRGGBB`. */
export type Color = `#${string}`;

const channels = (color: Color): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Mixes two colours; `share` of the second. */
export function mix(a: Color, b: Color, share: number): Color {
  const [from, to] = [channels(a), channels(b)];
  const mixed = from.map((value, n) => Math.round(value + ((to[n] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export const darker = (color: Color, share = 0.18): Color => mix(color, '#1B2420', share);
export const lighter = (color: Color, share = 0.25): Color => mix(color, '#FFFFFF', share);

/** How much of each pixel of a box a shape covers, 0 to 1. */
interface Coverage {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly shares: Float32Array;
}

const shareOf = ({ left, right, top, bottom, shares }: Coverage, x: number, y: number): number =>
  x < left || x >= right || y < top || y >= bottom ? 0 : (shares[(y - top) * (right - left) + x - left] ?? 0);

/** Draws flat shapes on a square of 100 × 100 units. */
export class Painter {
  readonly #pixels = new Float32Array(PICTURE_PX * PICTURE_PX * 3);

  constructor(background: Color) {
    this.fill(
      [
        [0, 0],
        [100, 0],
        [100, 100],
        [0, 100],
      ],
      background,
    );
  }

  /** Fills a shape; with `inside`, only where that shape is as well. */
  fill(shape: Shape, color: Color, inside?: Shape): this {
    const covered = coverage(shape);
    const clip = inside && coverage(inside);
    const rgb = channels(color);
    for (let y = covered.top; y < covered.bottom; y++) {
      for (let x = covered.left; x < covered.right; x++) {
        const share = shareOf(covered, x, y) * (clip ? shareOf(clip, x, y) : 1);
        if (share > 0) this.#blend((y * PICTURE_PX + x) * 3, rgb, share);
      }
    }
    return this;
  }

  #blend(at: number, rgb: readonly number[], share: number): void {
    for (let n = 0; n < 3; n++) {
      const before = this.#pixels[at + n] ?? 0;
      this.#pixels[at + n] = before + ((rgb[n] ?? 0) - before) * share;
    }
  }

  /** Fills a shape as a body that is lit from the left: its right side lies in shadow. */
  body(shape: Shape, color: Color, depth = 7): this {
    return this.fill(shape, darker(color)).fill(moved(shape, -depth), color, shape);
  }

  /** Draws a line of round ends. */
  line(points: readonly Point[], width: number, color: Color): this {
    for (const [n, [x, y]] of points.entries()) {
      this.fill(ellipse(x, y, width / 2), color);
      const next = points[n + 1];
      if (!next) continue;
      const length = Math.hypot(next[0] - x, next[1] - y) || 1;
      const [dx, dy] = [((y - next[1]) / length) * (width / 2), ((next[0] - x) / length) * (width / 2)];
      this.fill(
        [
          [x + dx, y + dy],
          [next[0] + dx, next[1] + dy],
          [next[0] - dx, next[1] - dy],
          [x - dx, y - dy],
        ],
        color,
      );
    }
    return this;
  }

  /** Returns the picture, or its upper part of so many units, as PNG. */
  png(height = 100): Buffer {
    const at = (n: number) => Math.round(this.#pixels[n] ?? 0);
    const color = (_: number, n: number) => at(n * 3) * 65_536 + at(n * 3 + 1) * 256 + at(n * 3 + 2);
    return encodePng(
      Uint32Array.from({ length: PICTURE_PX * Math.round(height * SCALE) }, color),
      PICTURE_PX,
    );
  }
}

/** Measures the coverage of each pixel along scan lines (even-odd rule). */
function coverage(shape: Shape): Coverage {
  const within = (value: number) => Math.min(Math.max(value, 0), PICTURE_PX);
  const [xs, ys] = [shape.map(([x]) => x * SCALE), shape.map(([, y]) => y * SCALE)];
  const [left, right] = [within(Math.floor(Math.min(...xs))), within(Math.ceil(Math.max(...xs)))];
  const [top, bottom] = [within(Math.floor(Math.min(...ys))), within(Math.ceil(Math.max(...ys)))];
  const shares = new Float32Array((right - left) * (bottom - top));
  for (let line = top * LINES; line < bottom * LINES; line++) {
    const row = (Math.floor(line / LINES) - top) * (right - left) - left;
    const crossings = crossingsAt(xs, ys, (line + 0.5) / LINES);
    for (let n = 0; n + 1 < crossings.length; n += 2) {
      const [from, to] = [Math.max(left, crossings[n] ?? 0), Math.min(right, crossings[n + 1] ?? 0)];
      for (let x = Math.floor(from); x < to; x++) {
        const share = Math.min(x + 1, to) - Math.max(x, from);
        shares[row + x] = Math.min(1, (shares[row + x] ?? 0) + share / LINES);
      }
    }
  }
  return { left, right, top, bottom, shares };
}

/** Returns where an outline crosses a scan line, from left to right. */
function crossingsAt(xs: readonly number[], ys: readonly number[], y: number): number[] {
  const found: number[] = [];
  for (let n = 0; n < xs.length; n++) {
    const next = (n + 1) % xs.length;
    const [x1, x2, y1, y2] = [xs[n] ?? 0, xs[next] ?? 0, ys[n] ?? 0, ys[next] ?? 0];
    if (y1 > y !== y2 > y) found.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
  }
  return found.sort((a, b) => a - b);
}
