/**
 * `npm run simulate -- --tenants 10000 --scale 1,10,100`: plays a day of a platform against its published limits,
 * prints the limits that it reaches, in order, and the cost. The default day is that of docs/scaling.md, whose chart
 * this writes. `npm run bench -- model` compares the model with a measured run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../bench/report.ts';
import { readArguments, refuse, wholeNumber } from '../command-line.ts';
import { readBudgets } from './budgets.ts';
import { chartOf } from './chart.ts';
import { costOf, totalOf } from './cost.ts';
import { LIMITS, PRICES } from './platform.ts';
import { type Day, playDay } from './walls.ts';

const USAGE = `npm run simulate [-- --tenants 10000] [--scale 1,10,100] [--seed 1]

  --tenants N  how many tenants the platform has
  --scale A,B  a day for each: times the sessions of scale 1, up to 1000
  --seed N     repeats the day of this seed

With the defaults it also writes the chart of docs/scaling.md.`;

/** The largest day: one tenant's orders can fill a database by themselves, and no number of shards is enough. */
const MAX_SCALE = 1_000;

/** The day of docs/scaling.md. */
const DEFAULTS = { tenants: '10000', scale: '1,10,100', seed: '1' };

const { values } = readArguments(USAGE, () =>
  parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      tenants: { type: 'string', default: DEFAULTS.tenants },
      scale: { type: 'string', default: DEFAULTS.scale },
      seed: { type: 'string', default: DEFAULTS.seed },
    },
  }),
);
const scales = values.scale.split(',').map(Number);
if (!scales.every((scale) => scale > 0 && scale <= MAX_SCALE))
  refuse(
    `--scale must be numbers above 0 and up to ${MAX_SCALE}, separated by commas, not ${JSON.stringify(values.scale)}.`,
  );

const number = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
const percent = (share: number): string => `${number(share * 100)} %`;
const ms = (value: number): string => (Number.isFinite(value) ? number(value) : 'grows without end');

const simulation = {
  tenants: wholeNumber('--tenants', values.tenants, 1, 1_000_000),
  seed: wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
  budgets: readBudgets(),
};
const days = scales.map((scale) => playDay(simulation, scale));
console.log(`A day of ${values.tenants} tenants, seed ${values.seed}\n`);
table(['Scale', 'Requests', 'Orders', 'Peak requests a second'], days.map(trafficOf));
console.log('\nWalls of one database of each kind, at the peak; 100 % is all that there is\n');
for (const day of days) {
  table(
    [`Scale ${day.scale}`, 'Needed', 'Full at scale'],
    day.walls.map(({ name, share }) => [name, percent(share), number(day.scale / share)]),
  );
  console.log();
}
table(
  [
    'Scale',
    'p99 ms of one main database, median hour',
    'worst hour',
    'shards needed',
    'their p99 ms',
    'too large',
  ],
  days.map(queueOf),
);
console.log('\nA flash sale of a minute, and a receiver that hangs all day\n');
table(
  [
    'Scale',
    'checkouts a second',
    'of its database',
    'served after',
    'attempts at the receiver',
    'left for later',
  ],
  days.map(({ scale, flash, hanging }) => [
    ...[String(scale), number(flash.checkoutsPerSecond), percent(flash.utilization)],
    ...[`${number(flash.seconds)} s`, number(hanging.tried), number(hanging.left)],
  ]),
);
console.log('\nCost, without the plan and its allowances\n');
table(['Scale', '$ a day', '$ a million requests', '$ a thousand orders', 'by service'], days.map(costRow));
console.log('\nPublished limits and prices\n');
table(
  ['', 'Value', 'Unit', 'Source'],
  [...Object.values(LIMITS), ...Object.values(PRICES)].map((one) => [
    ...[one.name, String(one.value), one.unit, one.source],
  ]),
);
const isDocumented =
  values.tenants === DEFAULTS.tenants && values.scale === DEFAULTS.scale && values.seed === DEFAULTS.seed;
if (isDocumented) writeFileSync(join(import.meta.dirname, '../../docs/scaling.svg'), chartOf(days));

function trafficOf({ scale, total, hours }: Day): string[] {
  const peak = Math.max(...hours.map(({ usage }) => usage.requests));
  return [String(scale), number(total.requests), number(total.orders), number(peak)];
}

function queueOf({ scale, queues, needed }: Day): string[] {
  const p99s = queues.map(({ p99 }) => p99).sort((a, b) => a - b);
  const [middle = 0, worst = 0] = [p99s[Math.floor(p99s.length / 2)], p99s.at(-1)];
  const { shards, p99, tooLarge } = needed;
  return [String(scale), ms(middle), ms(worst), number(shards), ms(p99), String(tooLarge)];
}

function costRow({ scale, total }: Day): string[] {
  const costs = costOf(total);
  const sum = totalOf(costs);
  const parts = Object.entries(costs).map(([name, part]) => `${name} ${percent(part / sum)}`);
  return [
    ...[String(scale), number(sum), number((sum / total.requests) * 1e6)],
    ...[number((sum / total.orders) * 1e3), parts.join(', ')],
  ];
}
