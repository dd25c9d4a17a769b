import type { Day } from './walls.ts';

/** Size of the drawing, and its margins. */
const [WIDTH, HEIGHT] = [720, 360];
const MARGIN = { top: 24, right: 96, bottom: 40, left: 64 };
/** The axis of utilization is logarithmic, from a thousandth to a hundred databases' time. */
const DECADES = { from: -3, to: 2 };
const COLOURS = ['#2563eb', '#b45309', '#be123c', '#047857', '#6d28d9'];

const x = (hour: number): number => MARGIN.left + (hour / 23) * (WIDTH - MARGIN.left - MARGIN.right);
function y(share: number): number {
  const at = (Math.log10(Math.max(share, 10 ** DECADES.from)) - DECADES.from) / (DECADES.to - DECADES.from);
  return HEIGHT - MARGIN.bottom - Math.min(at, 1) * (HEIGHT - MARGIN.top - MARGIN.bottom);
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

/** Returns an SVG of the main database's utilization over the day, one line for each scale. */
export function chartOf(days: readonly Day[]): string {
  const decades = Array.from({ length: DECADES.to - DECADES.from + 1 }, (_, n) => 10 ** (DECADES.from + n));
  const grid = decades.map(
    (share) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(share).toFixed(1)}" y2="${y(share).toFixed(1)}"
  stroke="${share === 1 ? '#be123c' : '#d4d4d8'}"${share === 1 ? ' stroke-dasharray="6 4"' : ''}/>
<text x="${MARGIN.left - 8}" y="${(y(share) + 4).toFixed(1)}" text-anchor="end">${percent(share)}</text>`,
  );
  const hours = [0, 6, 12, 18, 23].map(
    (hour) =>
      `<text x="${x(hour).toFixed(1)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${hour}:00</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
  aria-label="Utilization of one main database by the hour, for each scale"
  font-family="system-ui, sans-serif" font-size="12" fill="#3f3f46">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...grid,
    ...hours,
    `<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 6}" text-anchor="middle">Hour (UTC)</text>`,
    ...days.map(lineOf),
    '</svg>\n',
  ].join('\n');
}

function lineOf({ scale, queues }: Day, n: number): string {
  const colour = COLOURS[n % COLOURS.length];
  const points = queues.map(({ utilization }, hour) => `${x(hour).toFixed(1)},${y(utilization).toFixed(1)}`);
  const end = y(queues.at(-1)?.utilization ?? 0) + 4;
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>
<text x="${WIDTH - MARGIN.right + 8}" y="${end.toFixed(1)}" fill="${colour}">scale ${scale}</text>`;
}
