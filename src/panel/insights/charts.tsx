import type { Child } from 'hono/jsx';
import { groupDigits } from '../../kernel/text/text.ts';
import { Part } from '../../web/index.ts';

/** The size of a chart's drawing; it is stretched to the width of the page. */
const WIDTH = 600;
const HEIGHT = 80;
/** The part of a bar's place that is left empty. */
const GAP = 0.2;

/** Returns the outline of bars: at most one a place, `most` as high as the drawing. */
function barsOf(values: readonly number[], most: number): string {
  const place = WIDTH / values.length;
  const width = Math.round(place * (1 - GAP));
  return values
    .map((value, n) => {
      const height = most > 0 ? Math.round((Math.max(0, value) / most) * HEIGHT) : 0;
      return height > 0 ? `M${Math.round(n * place)} ${HEIGHT}v-${height}h${width}v${height}z` : '';
    })
    .join('');
}

interface ChartProps {
  readonly title: string;
  /** The accessible name of the chart. The table with the id `described` holds the same figures. */
  readonly summary: string;
  readonly values: readonly number[];
  /** Parts of the values, drawn over them. */
  readonly errors?: readonly number[];
  /** The first and the last place in words. */
  readonly ends: readonly [first: string, last: string];
  readonly described: string;
}

/** A bar chart, drawn on the server. */
export const BarChart = ({ title, summary, values, errors, ends, described }: ChartProps): Child => {
  const most = Math.max(0, ...values);
  return (
    <figure class="chart card">
      <Part name="charts" />
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
        aria-describedby={described}
      >
        <path d={barsOf(values, most)} />
        {errors && <path class="errors" d={barsOf(errors, most)} />}
      </svg>
      <p class="hint">
        <span>{ends[0]}</span> <span>{summary}</span> <span>{ends[1]}</span>
      </p>
    </figure>
  );
};

interface StatProps {
  readonly name: string;
  readonly value: Child;
  /** The figure, null where there is none: an average of nothing. */
  readonly now: number | null;
  readonly before: number | null;
}

/** Returns how a figure compares with the period before, in words; null is no figure. */
export function comparison(now: number | null, before: number | null): string {
  if (!before) return now ? 'None in the period before' : 'As before';
  if (now === null) return 'None in this period';
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return 'As in the period before';
  return `${groupDigits(Math.abs(percent))} % ${percent > 0 ? 'more' : 'less'} than before`;
}

/** A figure, and how it compares with the period before. */
export const Stat = ({ name, value, now, before }: StatProps) => (
  <div>
    <dt>{name}</dt>
    <dd class="value">{value}</dd>
    <dd class="hint">{comparison(now, before)}</dd>
  </div>
);
