/** `npm run bench [-- SECTION…]`: measures the built bundle and prints each figure beside its target. */
import { parseArgs } from 'node:util';
import '../scripts/test/memory-disk.ts';
import { type Finding, table } from './report.ts';
import { batch } from './sections/batch.ts';
import { cart } from './sections/cart.ts';
import { cold } from './sections/cold.ts';
import { filling } from './sections/filling.ts';
import { filters } from './sections/filters.ts';
import { flash } from './sections/flash.ts';
import { hot } from './sections/hot.ts';
import { imports, shopify } from './sections/import.ts';
import { login } from './sections/login.ts';
import { many } from './sections/many.ts';
import { model } from './sections/model.ts';
import { order } from './sections/order.ts';
import { reads } from './sections/reads.ts';
import { scale } from './sections/scale.ts';
import { search } from './sections/search.ts';
import { shards } from './sections/shards.ts';
import { size } from './sections/size.ts';
import { storage } from './sections/storage.ts';
import { storm } from './sections/storm.ts';
import { traffic } from './sections/traffic.ts';
import { webhook } from './sections/webhook.ts';

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
  load: traffic,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    products: { type: 'string', default: '100000' },
    // How long the section `load` goes on at one rate.
    minutes: { type: 'string', default: '10' },
    // How many shards the sections `hot`, `cold`, `cart` and `order` have: their shop is on the second of two.
    shards: { type: 'string', default: '1' },
  },
});
const chosen = positionals.length ? positionals : Object.keys(SECTIONS);
const findings: Finding[] = [];
for (const name of chosen) {
  const section = SECTIONS[name];
  if (!section)
    throw new Error(`Unknown section ${name}. The sections are ${Object.keys(SECTIONS).join(', ')}.`);
  console.log(`\n## ${name}`);
  findings.push(...(await section(Number(values.products), Number(values.minutes), Number(values.shards))));
}

console.log('\n## Against the targets');
const verdict = ({ reached }: Finding) => (reached === null ? '' : reached ? 'yes' : 'NO');
table(
  ['Measure', 'Target', 'Figure', 'Reached'],
  findings.map((finding) => [finding.measure, finding.reach, finding.figure, verdict(finding)]),
);
process.exit(0);
