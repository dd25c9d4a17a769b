/** Draws the logo and the icon of the demo shop: a pine above the water, and the shop's name in thin capitals. */
import { type Color, Painter } from './painter.ts';
import type { Point, Shape } from './shapes.ts';

const GREEN: Color = '#1F4D3A';
const CREAM: Color = '#F6EFE0';
const CLAY: Color = '#E08A6F';

/** Height of the logo in units; it is 100 wide. */
const LOGO_HEIGHT = 20;
/** A letter is so many units high; its strokes have this width. */
const CAP_HEIGHT = 7;
const STROKE = 0.95;
const LETTER_GAP = 1.75;
const WORD_GAP = 1.9;

/** Returns a part of an ellipse; angles in quarter turns, clockwise from the right. */
const arc = (
  [x, y]: Point,
  [rx, ry]: readonly [number, number],
  [from, to]: readonly [number, number],
): Point[] =>
  Array.from({ length: 13 }, (_, n): Point => {
    const angle = ((from + ((to - from) * n) / 12) * Math.PI) / 2;
    return [x + Math.cos(angle) * rx, y + Math.sin(angle) * ry];
  });

/** The upper bowl of P, R and B. */
const BOWL: Point[] = [[0, 3.7], [0, 0], [1.9, 0], ...arc([1.9, 1.85], [1.85, 1.85], [-1, 1]), [0, 3.7]];

/** The strokes of each letter, and its width. */
const LETTERS: Readonly<Record<string, readonly [width: number, ...strokes: readonly Point[][]]>> = {
  P: [
    3.75,
    [
      [0, 3.7],
      [0, 7],
    ],
    BOWL,
  ],
  I: [
    0,
    [
      [0, 0],
      [0, 7],
    ],
  ],
  N: [
    4.3,
    [
      [0, 7],
      [0, 0],
      [4.3, 7],
      [4.3, 0],
    ],
  ],
  E: [
    3.3,
    [
      [3.3, 0],
      [0, 0],
      [0, 7],
      [3.3, 7],
    ],
    [
      [0, 3.5],
      [2.8, 3.5],
    ],
  ],
  '&': [
    4.4,
    [[4.4, 7], [1, 2.6], ...arc([2.05, 1.4], [1.25, 1.4], [-2.6, 0.6]), [0.9, 3.9]],
    [[0.9, 3.9], ...arc([1.9, 5.2], [1.9, 1.8], [-2.55, -4]), [4.3, 4.3]],
  ],
  H: [
    4.2,
    [
      [0, 0],
      [0, 7],
    ],
    [
      [4.2, 0],
      [4.2, 7],
    ],
    [
      [0, 3.5],
      [4.2, 3.5],
    ],
  ],
  A: [
    4.8,
    [
      [0, 7],
      [2.4, 0],
      [4.8, 7],
    ],
    [
      [0.85, 4.7],
      [3.95, 4.7],
    ],
  ],
  R: [
    4,
    [
      [0, 3.7],
      [0, 7],
    ],
    BOWL,
    [
      [1.7, 3.7],
      [4, 7],
    ],
  ],
  B: [4, BOWL, [[0, 3.7], [0, 7], [2.3, 7], ...arc([2.3, 5.35], [1.7, 1.65], [1, -1]), [0, 3.7]]],
  O: [5, arc([2.5, 3.5], [2.5, 3.5], [0, 4])],
  U: [4.2, [[0, 0], [0, 4.9], ...arc([2.1, 4.9], [2.1, 2.1], [2, 0]), [4.2, 0]]],
};

/** Writes a text with its left edge at `left` and the top of its letters at `top`. */
function write(p: Painter, text: string, [left, top]: Point): void {
  let x = left;
  for (const letter of text) {
    const [width, ...strokes] = LETTERS[letter] ?? [WORD_GAP];
    for (const stroke of strokes) {
      p.line(
        stroke.map(([dx, dy]): Point => [x + dx, top + dy]),
        STROKE,
        CREAM,
      );
    }
    x += width + LETTER_GAP;
  }
}

/** Draws a pine above two waves into a square of `side` units. */
function mark(p: Painter, [left, top]: Point, side: number): void {
  const at = (x: number, y: number): Point => [left + x * side, top + y * side];
  const tier = (tip: number, foot: number, half: number): Shape => [
    at(0.5, tip),
    at(0.5 + half, foot),
    at(0.5 - half, foot),
  ];
  for (const shape of [tier(0, 0.3, 0.2), tier(0.16, 0.5, 0.27), tier(0.32, 0.7, 0.34)]) p.fill(shape, CREAM);
  for (const [y, color] of [
    [0.82, CLAY],
    [0.96, CREAM],
  ] as const) {
    const wave = Array.from({ length: 41 }, (_, n) =>
      at(0.06 + (0.88 * n) / 40, y - Math.cos((n / 40) * Math.PI * 4) * 0.025),
    );
    p.line(wave, side * 0.06, color);
  }
}

/** Draws the shop's logo (PNG), five times as wide as high. */
export function drawLogo(): Buffer {
  const p = new Painter(GREEN);
  mark(p, [5, 3.6], 12.8);
  write(p, 'PINE & HARBOUR', [22.5, (LOGO_HEIGHT - CAP_HEIGHT) / 2]);
  return p.png(LOGO_HEIGHT);
}

/** Draws the shop's icon (PNG), a square. */
export function drawIcon(): Buffer {
  const p = new Painter(GREEN);
  mark(p, [17, 15], 66);
  return p.png();
}
