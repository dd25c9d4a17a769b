/** A point on a canvas of 100 × 100 units; y grows downwards. */
export type Point = readonly [x: number, y: number];
/** A closed outline. */
export type Shape = readonly Point[];

const STEPS = 12;

/** Reads points from pairs: "33,26 50,25". */
export const points = (pairs: string): Point[] =>
  pairs.split(' ').map((pair): Point => {
    const [x = 0, y = 0] = pair.split(',').map(Number);
    return [x, y];
  });

/** Returns an ellipse around a centre. */
export const ellipse = (cx: number, cy: number, rx: number, ry = rx): Shape =>
  arc(cx, cy, rx, ry, 0, 360).slice(0, -1);

/** Returns the points of an arc between two angles in degrees; 0 is right, 90 is below. */
export function arc(cx: number, cy: number, rx: number, ry: number, from: number, to: number): Point[] {
  const count = Math.max(4, Math.ceil(Math.abs(to - from) / 5));
  return Array.from({ length: count + 1 }, (_, n): Point => {
    const angle = ((from + ((to - from) * n) / count) * Math.PI) / 180;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
  });
}

/** Returns a rectangle with round corners. */
export function rect(x: number, y: number, width: number, height: number, r = 0): Shape {
  if (r === 0)
    return [
      [x, y],
      [x + width, y],
      [x + width, y + height],
      [x, y + height],
    ];
  const [right, bottom] = [x + width - r, y + height - r];
  return [
    ...arc(right, y + r, r, r, -90, 0),
    ...arc(right, bottom, r, r, 0, 90),
    ...arc(x + r, bottom, r, r, 90, 180),
    ...arc(x + r, y + r, r, r, 180, 270),
  ];
}

/** Returns a value between `b` and `c` on a smooth curve (Catmull-Rom) through four. */
const between = (a: number, b: number, c: number, d: number, t: number): number =>
  0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t ** 2 + (3 * b - a - 3 * c + d) * t ** 3);

/** Returns the curve from the `n`th point to the next; `at` returns a point by its place. */
const segment = (at: (n: number) => Point, n: number): Point[] =>
  Array.from({ length: STEPS }, (_, step): Point => {
    const [a, b, c, d] = [at(n - 1), at(n), at(n + 1), at(n + 2)];
    const t = step / STEPS;
    return [between(a[0], b[0], c[0], d[0], t), between(a[1], b[1], c[1], d[1], t)];
  });

/** Returns a smooth closed outline through the points. */
export function smooth(points: Shape): Shape {
  const at = (n: number): Point => points[(n + points.length) % points.length] ?? [0, 0];
  return points.flatMap((_, n) => segment(at, n));
}

/** Returns a turned body: half widths by height, mirrored at `cx`, with straight ends and smooth sides. */
export function turned(cx: number, profile: readonly (readonly [y: number, half: number])[]): Shape {
  const at = (n: number): Point => {
    const [y, half] = profile[Math.min(Math.max(n, 0), profile.length - 1)] ?? [0, 0];
    return [half, y];
  };
  const side = [...profile.slice(1).flatMap((_, n) => segment(at, n)), at(profile.length - 1)];
  return [
    ...side.map(([half, y]): Point => [cx + half, y]),
    ...side.toReversed().map(([half, y]): Point => [cx - half, y]),
  ];
}

/** Returns a shape moved by a distance. */
export const moved = (shape: Shape, dx: number, dy = 0): Shape => shape.map(([x, y]) => [x + dx, y + dy]);

/** Returns a shape turned around a centre by degrees, clockwise. */
export function rotated(shape: Shape, degrees: number, [cx, cy]: Point = [50, 50]): Shape {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return shape.map(([x, y]) => [cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos]);
}
