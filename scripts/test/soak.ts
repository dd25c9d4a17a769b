/**
 * `npm run soak [-- --minutes 60] [--seed N]`: repeats the mixed journey, in which a twentieth of all calls fail, with
 * one seed after the other, and prints what each episode was and what an auditor found after it. `--minutes 0` runs
 * one episode: with the seed of a failure, that failure. Exits with 1 when anything was inconsistent.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readArguments, wholeNumber } from '../command-line.ts';

/** An episode as the journey prints it: one line of JSON. */
interface Episode {
  readonly seed: number;
  readonly faults: readonly object[];
  readonly injected: Readonly<Record<string, number>>;
  readonly [figure: string]: unknown;
}

const FIGURES = ['requests', 'calls', 'messages', 'events', 'orders'];

const USAGE = `npm run soak [-- --minutes 60] [--seed N]

  --minutes N  how long to repeat the journey; 0 runs it once
  --seed N     the first seed
Exits with 1 when anything was inconsistent.`;

const { values } = readArguments(USAGE, () =>
  parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      seed: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }),
);
const minutes = wholeNumber('--minutes', values.minutes, 0, 100_000);
const seed = values.seed === undefined ? null : wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1);
const root = join(import.meta.dirname, '../..');
const run = spawn(join(root, 'node_modules/.bin/vitest'), ['run', 'test/journeys/mixed/mixed.test.ts'], {
  cwd: root,
  env: { ...process.env, SOAK_MINUTES: String(minutes), ...(seed !== null && { SEED: String(seed) }) },
  stdio: ['ignore', 'pipe', 'inherit'],
});

const episodes: Episode[] = [];
let rest = '';
run.stdout.on('data', (data: Buffer) => {
  const lines = (rest + data).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const json = line.slice(line.indexOf('{"seed"'));
    if (!json.startsWith('{"seed"')) continue;
    episodes.push(JSON.parse(json));
    console.log(json);
  }
});
const [code] = await once(run, 'close');

const sum = (of: (episode: Episode) => unknown): number =>
  episodes.reduce((all, episode) => all + (Number(of(episode)) || 0), 0);
const injected = sum((episode) => Object.values(episode.injected).reduce((all, one) => all + one, 0));
console.log(
  `\n${episodes.length} episodes from seed ${episodes[0]?.seed}: ` +
    FIGURES.map((name) => `${sum((episode) => episode[name])} ${name}`).join(', ') +
    `; ${injected} faults injected; inconsistent: ${episodes.filter((one) => one.faults.length > 0).length}`,
);
process.exitCode = code === 0 && episodes.length > 0 ? 0 : 1;
