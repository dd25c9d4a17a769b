/** Runs every script with arguments that it can't use, and with --help. */
import { equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reasonOf } from './command-line.ts';

const root = join(import.meta.dirname, '..');

function run(script: string, ...args: string[]) {
  const { SUPER_ADMIN_TOKEN: _, ...env } = process.env;
  const conditions = ['--conditions=storefront-edge-source'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...conditions, join(root, script), ...args],
    {
      encoding: 'utf8',
      env,
      input: '',
      timeout: 30_000,
    },
  );
  return { status, stdout, stderr };
}

const SCRIPTS = [
  'bench/run.ts',
  'scripts/agent/agent.ts',
  'scripts/browser/journey.ts',
  'scripts/deploy/deploy.ts',
  'scripts/deploy/doctor.ts',
  'scripts/deploy/stack.ts',
  'scripts/dev/dev.ts',
  'scripts/dev/example.ts',
  'scripts/dev/receiver.ts',
  'scripts/import/import.ts',
  'scripts/simulate/simulate.ts',
  'scripts/test/soak.ts',
  'scripts/test/upgrade.ts',
  'scripts/transfer/export.ts',
  'scripts/transfer/import.ts',
];

for (const script of SCRIPTS) {
  test(`${script} --help prints how it is called`, () => {
    const { status, stdout, stderr } = run(script, '--help');
    equal(stderr, '');
    match(stdout, /^npm run [\w:-]+/);
    equal(status, 0);
  });

  test(`${script} refuses an unknown option in one sentence`, () => {
    const { status, stderr } = run(script, '--frobnicate');
    match(stderr, /^[^\n]*--frobnicate[^\n]*\n$/);
    equal(status, 1);
  });
}

test('a simulation of another day leaves the chart of the documentation', () => {
  const chart = () => readFileSync(join(root, 'docs/scaling.svg'), 'utf8');
  const before = chart();
  const { status, stdout } = run('scripts/simulate/simulate.ts', '--tenants', '10', '--scale', '1');
  match(stdout, /^A day of 10 tenants/);
  equal(status, 0);
  equal(chart(), before);
});

test('the agent says why it can not reach the shop', () => {
  const { status, stderr } = run('scripts/agent/agent.ts', '--shop', 'http://127.0.0.1:9/ucp/demo');
  equal(stderr, 'There is no shop at http://127.0.0.1:9/ucp/demo (bad port): start "npm run dev" first.\n');
  equal(status, 1);
});

test('a program says which address it can not reach', async () => {
  const failure: unknown = await fetch('http://127.0.0.1:1234').catch((error: unknown) => error);
  match(reasonOf(failure), /ECONNREFUSED 127\.0\.0\.1:1234/);
  equal(reasonOf(new Error('The port is in use.')), 'The port is in use.');
});

test('a test of the browser says how to get one', () => {
  // Without the variable by which Node's test runner tells a file that it is one of several.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const file = join(root, 'scripts/browser/parts/choices.test.ts');
  const { stdout } = spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    env: { ...env, CHROMIUM: '/nowhere/chromium' },
    timeout: 60_000,
  });
  match(stdout, /There is no browser at \/nowhere\/chromium: apt-get install chromium/);
});

const here = ['--url', 'http://127.0.0.1:9'];
const secret = 'whsec_c2VjcmV0IG9mIHR3ZW50eS1mb3VyIGJ5dGVz';

const WRONG: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['bench/run.ts', ['nothing'], /nothing/],
  ['bench/run.ts', ['size', '--products', 'many'], /--products/],
  ['scripts/agent/agent.ts', ['--wait', 'long'], /--wait/],
  ['scripts/agent/agent.ts', ['--shop', 'demo'], /--shop/],
  ['scripts/deploy/doctor.ts', ['--url', 'shop'], /--url/],
  ['scripts/deploy/stack.ts', ['stack.txt'], /stack\.txt/],
  ['scripts/dev/dev.ts', ['--port', 'abc'], /--port/],
  ['scripts/dev/dev.ts', ['--public-url', 'proxy'], /--public-url/],
  ['scripts/dev/example.ts', ['--port', '0'], /--port/],
  ['scripts/dev/example.ts', ['--api', 'here'], /--api/],
  ['scripts/dev/receiver.ts', [], /--secret/],
  ['scripts/dev/receiver.ts', ['--secret', secret, '--port', '99999'], /--port/],
  ['scripts/dev/receiver.ts', ['--secret', secret, '--status', '99'], /--status/],
  ['scripts/import/import.ts', [...here, '--token', 'a'], /FILE/],
  ['scripts/import/import.ts', ['a.csv', 'b.csv', ...here, '--token', 'a'], /b\.csv/],
  ['scripts/import/import.ts', ['a.csv', '--token', 'a'], /--url/],
  ['scripts/import/import.ts', ['a.csv', '--url', 'shop', '--token', 'a'], /--url/],
  ['scripts/import/import.ts', ['a.csv', ...here], /--token/],
  ['scripts/import/import.ts', ['a.csv', ...here, '--token', 'a', '--stock', 'add'], /--stock/],
  ['scripts/import/import.ts', [root, ...here, '--token', 'a'], /Cannot read/],
  ['scripts/simulate/simulate.ts', ['--tenants', 'x'], /--tenants/],
  ['scripts/simulate/simulate.ts', ['--scale', '1,x'], /--scale/],
  ['scripts/simulate/simulate.ts', ['--scale', '1,1e9'], /--scale/],
  ['scripts/simulate/simulate.ts', ['--seed', ''], /--seed/],
  ['scripts/simulate/simulate.ts', ['--seed', '-1'], /--seed/],
  ['scripts/test/soak.ts', ['--minutes', 'x'], /--minutes/],
  ['scripts/test/soak.ts', ['--seed', 'x'], /--seed/],
  ['scripts/test/upgrade.ts', ['--from', 'no-such-release'], /no-such-release/],
  ['scripts/transfer/export.ts', [...here, '--token', 'a', '--to', 'b'], /--tenant/],
  ['scripts/transfer/export.ts', ['--tenant', 'a', '--token', 'a', '--to', 'b'], /--url/],
  ['scripts/transfer/export.ts', ['--tenant', 'a', '--url', 'b', '--token', 'a', '--to', 'b'], /--url/],
  ['scripts/transfer/export.ts', ['--tenant', 'a', ...here, '--to', 'b'], /--token/],
  ['scripts/transfer/export.ts', ['--tenant', 'a', ...here, '--token', 'a'], /--to/],
  ['scripts/transfer/export.ts', ['--tenant', 'a', '--other-keys'], /--other-keys/],
  ['scripts/transfer/import.ts', ['--tenant', 'a', ...here, '--token', 'a'], /--from/],
];

/** What is no token as a whole, and must not be shown to who looks over a shoulder or reads a log. */
const HIDDEN: readonly (readonly [string, readonly string[]])[] = [
  ['scripts/dev/receiver.ts', ['--secret', 'hidden-']],
  ['scripts/import/import.ts', [join(root, 'package.json'), ...here, '--token', 'hidden\nhidden']],
  ['scripts/transfer/export.ts', ['--tenant', 'a', ...here, '--to', root, '--token', 'hidden\nhidden']],
  ['scripts/transfer/import.ts', ['--tenant', 'a', ...here, '--from', root, '--token', 'hidden\nhidden']],
];

for (const [script, args] of HIDDEN) {
  test(`${script} refuses a secret that it can not use without printing it`, () => {
    const { status, stderr } = run(script, ...args);
    match(stderr, /^[^\n]*--(token|secret)[^\n]*\n$/);
    equal(stderr.includes('hidden'), false);
    equal(status, 1);
  });
}

for (const [script, args, named] of WRONG) {
  test(`${[script, ...args].join(' ')} is refused in one sentence`, () => {
    const { status, stdout, stderr } = run(script, ...args);
    match(stderr, named);
    match(stderr, /^[^\n]+\n$/);
    equal(stdout, '');
    equal(status, 1);
  });
}
