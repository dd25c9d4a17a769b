import type { Draw } from './kitchen.ts';
import { type Color, darker, lighter, type Painter } from './painter.ts';
import { arc, ellipse, points, rect, rotated, type Shape, smooth } from './shapes.ts';

const SHIRT: Shape = points(
  '37,22 44,26.5 50,27.5 56,26.5 63,22 76,30 84,46 74,51 69.5,43 69,84 31,84 30.5,43 26,51 16,46 24,30',
);

export const tee =
  (color: Color): Draw =>
  (p) => {
    p.body(SHIRT, color, 4).fill(smooth(points('42,24.5 50,26 58,24.5 50,31')), darker(color, 0.35));
    p.line(points('30.5,44 32,36'), 0.7, darker(color, 0.3)).line(
      points('69.5,44 68,36'),
      0.7,
      darker(color, 0.3),
    );
  };

export const overshirt =
  (color: Color): Draw =>
  (p) => {
    for (const [x, degrees] of [
      [26, 9],
      [74, -9],
    ] as const) {
      p.body(rotated(rect(x - 6.5, 24, 13, 52, 5), degrees, [x, 26]), darker(color, 0.08), 3);
    }
    p.body(points('34,22 66,22 72,30 71,84 29,84 28,30'), color, 4);
    for (let x = 32; x < 70; x += 3.2)
      p.line(
        [
          [x, 32],
          [x, 83],
        ],
        0.4,
        darker(color, 0.12),
      );
    p.fill(rect(48, 26, 4.4, 58), darker(color, 0.2));
    for (const y of [36, 47, 58, 69, 79]) p.fill(ellipse(50.2, y, 1.1), '#E9D9C0');
    p.fill(points('38,21 50,29 43,35 33,25'), lighter(color, 0.1)).fill(
      points('62,21 50,29 57,35 67,25'),
      darker(color, 0.1),
    );
    for (const x of [33.5, 56])
      p.fill(rect(x, 43, 11, 12, 1), darker(color, 0.16)).fill(rect(x, 43, 11, 3.4), darker(color, 0.28));
  };

export const beanie =
  (color: Color): Draw =>
  (p) => {
    p.body(smooth(points('27,68 28,48 38,31 50,27 62,31 72,48 73,68 50,70')), color);
    for (let x = 32; x <= 68; x += 6)
      p.line(
        [
          [x, 64],
          [50 + (x - 50) * 0.72, 42],
          [50 + (x - 50) * 0.3, 31],
        ],
        0.7,
        darker(color, 0.2),
      );
    p.body(rect(25, 62, 50, 17, 5), lighter(color, 0.1), 5);
    for (let x = 29; x <= 72; x += 3.4)
      p.line(
        [
          [x, 65],
          [x, 76],
        ],
        0.7,
        color,
      );
    p.fill(rect(56, 67, 10, 7, 1), '#E9D9C0').fill(rect(58, 70, 6, 1), darker(color, 0.4));
  };

export const socks =
  (color: Color): Draw =>
  (p) => {
    for (const [dx, dy, tone] of [
      [12, -3, darker(color, 0.12)],
      [-6, 3, color],
    ] as const) {
      const sock = smooth(
        points('36,22 44,21 53,22 54,40 54,54 64,64 72,70 72,79 62,82 50,79 38,70 35,56 35,38'),
      ).map(([x, y]) => [x + dx - 4, y + dy] as const);
      p.body(sock, tone, 3.5);
      for (const y of [22, 25.5, 29]) p.fill(rect(20, y + dy, 60, 1.6), '#E9E2D3', sock);
      p.fill(ellipse(36 + dx, 70 + dy, 9, 9), '#C8553D', sock).fill(
        ellipse(72 + dx, 76 + dy, 10, 8),
        '#C8553D',
        sock,
      );
    }
  };

/** A gift card with a ribbon. */
export const giftCard =
  (color: Color, ribbon: Color): Draw =>
  (p) => {
    const turn = (shape: Shape) => rotated(shape, -8);
    const card = turn(rect(17, 33, 66, 42, 4));
    p.fill(turn(rect(18.5, 36, 66, 42, 4)), darker(color, 0.45)).fill(card, color);
    p.fill(turn(rect(59, 33, 5, 42)), ribbon).fill(turn(rect(17, 49, 66, 5)), ribbon);
    for (const side of [-1, 1]) {
      const loop = smooth([
        [61.5, 51],
        [61.5 + side * 9, 43],
        [61.5 + side * 13, 47],
        [61.5 + side * 9, 54],
      ]);
      p.body(turn(loop), lighter(ribbon, 0.12), 2);
    }
    p.fill(turn(ellipse(61.5, 51, 2.8)), darker(ribbon, 0.2));
    p.fill(turn(rect(22, 63, 22, 1.6)), lighter(color, 0.5)).fill(
      turn(rect(22, 67, 14, 1.6)),
      lighter(color, 0.5),
    );
  };

export const book: Draw = (p) => {
  p.fill(rect(30, 22, 45, 62, 2), '#EFE7D6')
    .fill(rect(28, 20, 44, 62, 2), '#1F4D3A')
    .fill(rect(28, 20, 5, 62), '#173A2C');
  p.fill(ellipse(52, 46, 13), '#E9DCC2');
  p.fill(smooth(points('52,36 58.5,46 57,52 52,55 47,52 45.5,46')), '#C8553D');
  p.fill(rect(40, 65, 24, 2), '#E9DCC2').fill(rect(44, 70, 16, 1.4), '#9DB3A6');
};

export const map: Draw = (p) => {
  const folds = [
    [18, '#E8E2CF'],
    [34, '#F3EEDF'],
    [50, '#E8E2CF'],
    [66, '#F3EEDF'],
  ] as const;
  for (const [n, [x, color]] of folds.entries()) {
    const [left, right] = n % 2 ? [26, 31] : [31, 26];
    p.fill(
      [
        [x, left],
        [x + 16, right],
        [x + 16, right + 48],
        [x, left + 48],
      ],
      color,
    );
  }
  p.fill(
    smooth(points('18,60 30,54 42,60 54,52 66,57 82,48 82,76 66,77 50,77 34,76 18,78')),
    '#9CC3CC',
    points('18,31 34,26 50,31 66,26 82,31 82,79 66,74 50,79 34,74 18,79'),
  );
  const path = [
    [24, 50],
    [31, 45],
    [39, 48],
    [46, 42],
    [55, 44],
    [62, 37],
    [72, 38],
  ] as const;
  for (const [x, y] of path) p.fill(ellipse(x, y, 1.3), '#C8553D');
  p.line(path, 0.6, '#C8553D')
    .fill(smooth(points('72,38 67.5,31 72,26 76.5,31')), '#C8553D')
    .fill(ellipse(72, 31, 1.7), '#F3EEDF');
};

/** Four cups in a row and a spoon, for a tasting. */
export const cupping: Draw = (p) => {
  for (const [x, y] of [
    [36, 42],
    [64, 42],
    [28, 62],
    [56, 62],
  ] as const)
    cup(p, x, y);
  p.line(points('74,84 84,56'), 2.4, '#9FA9A6').fill(
    rotated(ellipse(85.5, 51, 4, 6.5), 20, [85.5, 51]),
    '#B9C2C0',
  );
};

function cup(p: Painter, x: number, y: number): void {
  p.body([...arc(x, y, 12, 3, 180, 0).toReversed(), ...arc(x, y, 12, 16, 0, 180)], '#F2ECE0', 4);
  p.fill(ellipse(x, y, 12, 3.4), '#E1D8C8')
    .fill(ellipse(x, y + 0.5, 10.4, 2.6), '#54321F')
    .fill(ellipse(x - 2, y + 0.2, 4.5, 1), '#8B5E3C');
}

/** A bowl on a potter's wheel. */
export const wheel: Draw = (p) => {
  p.body(rect(44, 70, 12, 18), '#6A5442', 4)
    .fill(ellipse(50, 72, 34, 6.5), '#4F4036')
    .fill(ellipse(50, 69.5, 34, 6.5), '#7B6757');
  p.body(smooth(points('30,40 50,39 70,40 66,55 58,67 50,68.5 42,67 34,55')), '#C98F6B');
  p.fill(ellipse(50, 40.5, 20, 4), '#DDAE8E').fill(ellipse(50, 41.2, 17, 2.9), '#9C6648');
  for (const y of [49, 55, 61])
    p.line(arc(50, y - 3, 17 - (y - 49) * 0.6, 4, 20, 160), 0.6, darker('#C98F6B', 0.2));
};
