import type { Draw } from './kitchen.ts';
import { type Color, darker, lighter } from './painter.ts';
import { arc, ellipse, points, rect, rotated, type Shape, smooth, turned } from './shapes.ts';

const STEEL = '#B9C2C0';
const LEATHER = '#A5673F';

/** A folded cloth with stripes. */
export const towel: Draw = (p) => {
  p.line(points('22,20 78,20'), 2.6, '#8A6A4C');
  const cloth = smooth(points('30,20 70,20 71,48 69,80 50,82 31,80 29,48'));
  p.body(cloth, '#EDE6D8', 6);
  for (const y of [62, 67, 72]) p.fill(rect(28, y, 44, y === 67 ? 3 : 1.4), '#3C6A8C', cloth);
  p.line(points('50,23 50,58'), 0.8, '#DDD3BF');
};

export const apron: Draw = (p) => {
  p.line(arc(50, 28, 13, 15, 180, 360), 1.8, '#6F5B43');
  const bib: Shape = smooth(
    points('38,27 50,26 62,27 64,42 73,52 74,70 71,84 50,85 29,84 26,70 27,52 36,42'),
  );
  p.line(points('27,52 17,57'), 1.6, '#6F5B43').line(points('73,52 83,57'), 1.6, '#6F5B43');
  p.body(bib, '#5F7565', 6)
    .fill(rect(37, 58, 26, 17, 2), '#526858')
    .fill(rect(37, 58, 26, 2.2), '#435747');
};

export const backpack: Draw = (p) => {
  p.line(arc(50, 24, 6, 6, 180, 360), 2, '#28302D');
  p.body(smooth(points('33,28 50,26 67,28 72,48 72,70 68,84 50,86 32,84 28,70 28,48')), '#2F5D50');
  p.body(smooth(points('32,24 50,22 68,24 70,34 69,42 50,44 31,42 30,34')), '#3E7566', 5);
  for (const x of [40, 60])
    p.fill(rect(x - 1.4, 38, 2.8, 26), LEATHER).fill(rect(x - 2.4, 52, 4.8, 4, 0.8), '#D9B26A');
  p.body(rect(35, 60, 30, 20, 4), '#285044', 4).fill(rect(35, 63.5, 30, 1.4), '#1D3C33');
};

export const toteAt =
  (cx: number, color: Color): Draw =>
  (p) => {
    p.line(arc(cx, 42, 11, 24, 180, 360), 2.6, darker(color, 0.3));
    p.body(
      smooth([
        [cx - 25, 42],
        [cx, 41],
        [cx + 25, 42],
        [cx + 23, 64],
        [cx + 22, 84],
        [cx, 85.5],
        [cx - 22, 84],
        [cx - 23, 64],
      ]),
      color,
    );
    p.fill(ellipse(cx, 62, 9), '#C8553D').fill(
      smooth([
        [cx - 14, 68],
        [cx - 5, 62],
        [cx, 66],
        [cx + 6, 60],
        [cx + 14, 68],
        [cx + 8, 72],
        [cx - 8, 72],
      ]),
      '#1F4D3A',
    );
  };

export const stoveAt =
  (cx: number): Draw =>
  (p) => {
    p.fill(
      smooth([
        [cx - 6, 54],
        [cx - 7, 46],
        [cx, 36],
        [cx + 6, 46],
        [cx + 6, 54],
      ]),
      '#E58A3C',
    );
    p.fill(
      smooth([
        [cx - 3, 54],
        [cx - 3, 49],
        [cx, 43],
        [cx + 3, 49],
        [cx + 3, 54],
      ]),
      '#F7D77E',
    );
    p.body(turned(cx, points('53,13 58,16 76,16 84,12')), '#C59A4F', 6);
    p.fill(ellipse(cx, 53, 13, 2.2), '#8E6B30');
    for (const x of [-12, 0, 12]) p.fill(ellipse(cx + x, 63, 1.5), '#8E6B30');
    for (const side of [-1, 1])
      p.line(
        [
          [cx + side * 17, 84],
          [cx + side * 21, 48],
          [cx + side * 14, 46],
        ],
        1.6,
        '#6E7774',
      );
  };

export const potAt =
  (cx: number, top: number, size = 1): Draw =>
  (p) => {
    const half = 23 * size;
    p.line(
      [
        [cx + half, top + 8 * size],
        [cx + half + 17 * size, top + 5 * size],
      ],
      3.4 * size,
      '#28302D',
    );
    p.body(
      turned(cx, [
        [top, half],
        [top + 26 * size, half],
        [top + 31 * size, half * 0.9],
      ]),
      STEEL,
      8 * size,
    );
    p.body(
      turned(cx, [
        [top - 5 * size, half * 0.6],
        [top - 1, half],
        [top + 2.4 * size, half],
      ]),
      darker(STEEL, 0.1),
      6 * size,
    );
    p.fill(rect(cx - 4 * size, top - 9 * size, 8 * size, 5 * size, 2 * size), '#C8553D');
    p.fill(rect(cx - half * 0.72, top + 6 * size, 2.6 * size, 18 * size, 1.2 * size), lighter(STEEL, 0.5));
  };

export const enamelAt =
  (cx: number, top: number, size: number): Draw =>
  (p) => {
    const [half, height] = [19 * size, 31 * size];
    p.line(arc(cx + half, top + height * 0.45, 9 * size, 9 * size, -85, 85), 3.4 * size, '#23395B');
    p.body(
      turned(cx, [
        [top, half],
        [top + height, half * 0.88],
      ]),
      '#F2F1EC',
      7 * size,
    );
    for (const [x, y] of [
      [-9, 8],
      [3, 14],
      [-5, 22],
      [9, 6],
      [8, 24],
    ] as const) {
      p.fill(ellipse(cx + x * size, top + y * size, 0.8 * size), '#23395B');
    }
    p.fill(ellipse(cx, top, half, 3 * size), '#23395B').fill(
      ellipse(cx, top + 0.4, half * 0.92, 2.2 * size),
      '#D9D8D0',
    );
  };

export const spork: Draw = (p) => {
  const tool = [smooth(points('50,46 43,40 41.5,30 44,20 56,20 58.5,30 57,40')), rect(48, 42, 4, 44, 2)].map(
    (shape) => rotated(shape, 28),
  );
  for (const shape of tool) p.body(shape, STEEL, 2.5);
  for (const x of [47, 50, 53]) p.fill(rotated(rect(x - 0.5, 17, 1, 9), 28), '#E4DFD2');
  p.fill(rotated(ellipse(49, 34, 3, 6), 28), lighter(STEEL, 0.35));
};
