import { type Color, darker, lighter, type Painter } from './painter.ts';
import { arc, ellipse, points, rect, rotated, smooth, turned } from './shapes.ts';

/** Draws something on a painter whose background is there already. */
export type Draw = (p: Painter) => void;

const STEEL = '#B9C2C0';
const DARK = '#2B312E';
const WOOD = '#B98455';
const CREAM = '#F7F1E6';

/** A bag of coffee with a folded top and a label. */
export const coffeeBag =
  (color: Color, label: Color, mark: Color): Draw =>
  (p) => {
    const bag = smooth(points('33,26 50,25 67,26 69,40 70,62 69,82 50,84 31,82 30,62 31,40'));
    p.body(bag, color);
    p.fill(rect(32, 18, 36, 9, 1), darker(color, 0.1)).fill(rect(32, 25.6, 36, 1.4), darker(color, 0.35));
    p.fill(rect(38, 43, 24, 27, 1.5), label);
    p.fill(smooth(points('50,47 55,52 55,58 50,63 45,58 45,52')), mark);
    p.line(points('51.2,48.5 49,53 51,57 48.8,61.5'), 1, label);
    p.fill(rect(42, 65.5, 16, 1.2), mark);
  };

/** A tea caddy with a leaf on it. */
export const teaTin =
  (color: Color, leaf: Color): Draw =>
  (p) => {
    p.body(rect(32, 32, 36, 52, 3), color);
    p.body(rect(31, 24, 38, 11, 2.5), darker(color, 0.12));
    p.fill(ellipse(50, 60, 12.5), CREAM);
    p.fill(smooth(points('50,50 55.5,57 54,65 50,69 46,65 44.5,57')), leaf);
    p.line(points('50,53 50,67'), 0.7, CREAM);
  };

export const dripper: Draw = (p) => {
  const cone = turned(48, points('34,24 50,16 62,8.5 68,7'));
  p.line(arc(72, 45, 9, 9, -70, 120), 3.6, '#E3DCCF');
  p.body(cone, CREAM, 9);
  for (const x of [-12, -4, 4, 12])
    p.line(
      [
        [48 + x, 39],
        [48 + x * 0.45, 61],
      ],
      0.9,
      '#DFD6C6',
    );
  p.fill(ellipse(48, 34, 24, 3.2), '#E6DDCE').fill(ellipse(48, 34.4, 21, 2.2), '#C9BEAB');
  p.body(turned(48, points('67,20 71,20')), CREAM, 8);
  p.body(turned(48, points('71,12 84,12')), '#D3E0DA', 5).fill(
    turned(48, points('77,11.9 84,12')),
    '#6B4128',
  );
};

export const filters: Draw = (p) => {
  for (const [n, color] of (['#DCCFB8', '#E8DDC9', '#F4ECDD'] as const).entries()) {
    const shift = n * 3;
    p.body(
      smooth([
        [28 + shift, 36 + shift],
        [50 + shift, 33 + shift],
        [70 + shift, 36 + shift],
        [64 + shift, 58 + shift],
        [56 + shift, 74 + shift],
        [44 + shift, 74 + shift],
        [36 + shift, 58 + shift],
      ]),
      color,
      3,
    );
  }
  p.line(points('52,45 55,76'), 0.8, '#D8CBB3');
};

export const kettle: Draw = (p) => {
  p.line(points('64,68 74,64 77,50 82,37 88,34'), 3.4, darker(STEEL, 0.25));
  p.line([...arc(30, 52, 14, 17, 100, 262)], 4.2, DARK);
  p.body(turned(48, points('42,13 50,17 72,22 82,22')), STEEL, 9);
  p.fill(ellipse(48, 42, 13, 2.4), lighter(STEEL, 0.4));
  p.body(turned(48, points('37,8 41,12')), darker(STEEL, 0.1), 4).fill(ellipse(48, 34.5, 3, 3), DARK);
  p.fill(rect(36, 54, 3, 20, 1.5), lighter(STEEL, 0.5));
};

export const mill: Draw = (p) => {
  p.line(points('50,26 72,21'), 3, darker(STEEL, 0.3)).body(ellipse(74, 19, 4.5, 5.5), WOOD, 2);
  p.body(turned(50, points('28,11 33,13.5 56,13.5')), STEEL, 6);
  p.fill(rect(36.5, 36, 27, 2), darker(STEEL, 0.35));
  p.body(turned(50, points('56,14 62,12 80,14.5 84,14.5')), WOOD, 6);
  p.fill(rect(41, 34, 2.4, 20, 1.2), lighter(STEEL, 0.6)).fill(ellipse(50, 27.5, 4, 3), DARK);
};

export const press: Draw = (p) => {
  p.line(arc(66, 56, 13, 17, -75, 75), 4, DARK);
  p.line(points('47,16 47,32'), 1.8, darker(STEEL, 0.2)).fill(ellipse(47, 15.5, 3.6), DARK);
  p.body(rect(29, 32, 36, 52, 3), '#DCE7E3', 8);
  p.fill(rect(30.5, 52, 33, 30, 2), '#5A3521').fill(rect(30.5, 49.5, 33, 3, 1), '#B08A66');
  p.body(turned(47, points('27,15 31,20 34,20')), STEEL, 7);
  for (const y of [36, 80]) p.fill(rect(28, y, 38, 3, 1), darker(STEEL, 0.15));
  p.fill(rect(34, 40, 2.4, 38, 1.2), '#F3F8F6');
};

export const scale: Draw = (p) => {
  p.body(rect(20, 62, 60, 16, 4), DARK, 4).fill(rect(18, 57, 64, 7, 3), '#454D49');
  p.fill(rect(36, 67, 28, 7.5, 1.5), '#10201A');
  for (const x of [40, 46.5, 55])
    p.line(
      [
        [x, 69],
        [x, 72.8],
      ],
      1.2,
      '#8FE3C0',
    ).line(
      [
        [x + 3, 69],
        [x + 3, 72.8],
      ],
      1.2,
      '#8FE3C0',
    );
  p.fill(ellipse(52, 72.8, 0.8), '#8FE3C0');
  mugAt(50, 35, 0.62, '#C8553D')(p);
};

/** A mug whose rim is at `top`, in a size relative to the usual one. */
export const mugAt =
  (cx: number, top: number, size: number, color: Color): Draw =>
  (p) => {
    const [half, height] = [20 * size, 36 * size];
    p.line(
      arc(cx + half, top + height * 0.48, 10 * size, 10.5 * size, -80, 80),
      4.6 * size,
      darker(color, 0.3),
    );
    p.body(
      turned(cx, [
        [top, half],
        [top + height * 0.7, half],
        [top + height * 0.92, half * 0.93],
        [top + height, half * 0.72],
      ]),
      color,
      8 * size,
    );
    p.fill(ellipse(cx, top, half, 3.6 * size), lighter(color, 0.35)).fill(
      ellipse(cx, top + 0.7 * size, half * 0.88, 2.7 * size),
      '#4A2C1B',
    );
  };

/** A mug with a glazed upper half. */
export const glazedMug: Draw = (p) => {
  mugAt(48, 38, 1.15, '#E9DFCC')(p);
  const glaze = smooth(points('25,38 71,38 71,55 60,61 50,56 38,62 25,56'));
  const cup = turned(48, points('38,23 67,23 76,21.4 79.4,16.6'));
  p.fill(glaze, '#2E6B66', cup).fill(rect(64, 38, 8, 30), '#245752', glaze);
  p.fill(ellipse(48, 38, 23, 4.1), '#5E9690').fill(ellipse(48, 38.8, 20.2, 3.1), '#4A2C1B');
};

/** A bowl with its rim at `top`. */
export const bowlAt =
  (cx: number, top: number, half: number, color: Color): Draw =>
  (p) => {
    p.body(
      turned(cx, [
        [top, half],
        [top + half * 0.35, half * 0.92],
        [top + half * 0.65, half * 0.7],
        [top + half * 0.82, half * 0.4],
        [top + half * 0.92, half * 0.4],
      ]),
      color,
      half * 0.35,
    );
    p.fill(ellipse(cx, top, half, half * 0.2), lighter(color, 0.4)).fill(
      ellipse(cx, top + 0.6, half * 0.88, half * 0.15),
      darker(color, 0.1),
    );
  };

/** A plate that leans against the wall. */
export const plateAt =
  (cx: number, cy: number, r: number, color: Color): Draw =>
  (p) => {
    p.body(ellipse(cx, cy, r), color, r * 0.16).fill(ellipse(cx, cy, r * 0.7), lighter(color, 0.3));
    p.fill(ellipse(cx + r * 0.03, cy + r * 0.03, r * 0.66), color);
  };

export const vase: Draw = (p) => {
  p.line(points('50,40 51,26 56,14'), 1.3, '#5E7A4C');
  for (const [x, y, turn] of [
    [56, 13, 30],
    [52, 22, -60],
    [52, 28, 55],
  ] as const) {
    p.fill(rotated(ellipse(x, y, 2.4, 5.4), turn, [x, y + 4]), '#7C9A66');
  }
  p.body(turned(50, points('36,5 46,5 56,14 68,19 79,14 84,10')), '#D9A88B', 7);
  p.fill(ellipse(50, 36, 5, 1.3), '#9C6A50').fill(smooth(points('40,58 43,55 42,70 38,70')), '#EBC8B2');
};
