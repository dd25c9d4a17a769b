/** `npm run bench [-- SECTION…]`: measures the built bundle and prints each figure beside its target. */
import { parseArgs } from 'node:util';
import { readArguments, refuse, wholeNumber } from '../scripts/command-line.ts';
import '../scripts/test/memory-disk.ts';
import { type Finding, table } from './report.ts';
import { many } from './sections/growth/many.ts';
import { model } from './sections/growth/model.ts';
import { scale } from './sections/growth/scale.ts';
import { shards } from './sections/growth/shards.ts';
import { size } from './sections/growth/size.ts';
import { storage } from './sections/growth/storage.ts';
import { cold } from './sections/reads/cold.ts';
import { filling } from './sections/reads/filling.ts';
import { filters } from './sections/reads/filters.ts';
import { hot } from './sections/reads/hot.ts';
import { reads } from './sections/reads/reads.ts';
import { search } from './sections/reads/search.ts';
import { apart } from './sections/together/apart.ts';
import { storm } from './sections/together/storm.ts';
import { traffic } from './sections/together/traffic.ts';
import { batch } from './sections/writes/batch.ts';
import { cart } from './sections/writes/cart.ts';
import { flash } from './sections/writes/flash.ts';
import { imports, shopify } from './sections/writes/import.ts';
import { login } from './sections/writes/login.ts';
import { order } from './sections/writes/order.ts';
import { webhook } from './sections/writes/webhook.ts';

/** Sections by name. Those that take no `shards` run on one. */
const SECTIONS: Readonly<
  Record<string, (products: number, minutes: number, shards: number) => Promise<Finding[]>>
> = {
  size,
  hot,
  cold,
  storage,
  scale,
  shards,
  many,
  search,
  filters,
  reads,
  filling,
  import: imports,
  shopify,
  login,
  order,
  webhook,
  cart,
  batch,
  flash,
  model,
  storm,
  apart,
  load: traffic,
};

const names = Object.keys(SECTIONS);

const USAGE = `npm run bench [-- SECTION…] [--products 100000] [--minutes 10] [--shards 1]

  SECTION       ${names.join(', ')}; all of them by default
  --products N  how many products the large catalogue has
  --minutes N   how long the section load goes on at one rate
  --shards N    1 or 2; with 2, the shop of hot, cold, cart and order is on the second`;

const { values, positionals } = readArguments(USAGE, () =>
  parseArgs({
    allowPositionals: true,
    options: {
      products: { type: 'string', default: '100000' },
      minutes: { type: 'string', default: '10' },
      shards: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h' },
    },
  }),
);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) refuse(`There is no section ${unknown}. The sections are ${names.join(', ')}.`);
const figures = [
  wholeNumber('--products', values.products, 1, 1_000_000),
  wholeNumber('--minutes', values.minutes, 1, 100_000),
  wholeNumber('--shards', values.shards, 1, 2),
] as const;
const findings: Finding[] = [];
for (const name of positionals.length > 0 ? positionals : names) {
  console.log(`\n## ${name}`);
  findings.push(...((await SECTIONS[name]?.(...figures)) ?? []));
}

console.log('\n## Against the targets');
const verdict = ({ reached }: Finding) => {
  if (reached === null) return '';
  return reached ? 'yes' : 'NO';
};
table(
  ['Measure', 'Target', 'Figure', 'Reached'],
  findings.map((finding) => [finding.measure, finding.reach, finding.figure, verdict(finding)]),
);
process.exit(0);
