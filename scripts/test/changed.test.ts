/** Checks which tests `npm run test:changed` selects for a change. */
import { deepEqual, equal } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { leftMain, select } from './changed.ts';

const FILES = new Set([
  'scripts/import/import.test.ts',
  'scripts/migrations/migrations.test.ts',
  'scripts/seeds.test.ts',
  'test/cart/samples.ts',
  'test/cart/cart.test.ts',
  'test/pricing/totals.property.test.ts',
]);
const CONTRACT = ['generated', 'input', 'security'].map((name) => `test/contract/${name}.test.ts`);
const NOTHING = { tests: [], scripts: [], modules: [] };

test('a module is tested with its endpoints, if it has any', () => {
  deepEqual(select(['src/cart/object/cart.ts'], FILES), {
    tests: ['test/cart/', ...CONTRACT],
    scripts: [],
    modules: ['cart'],
  });
  deepEqual(select(['src/pricing/totals.ts'], FILES), { ...NOTHING, tests: ['test/pricing/'] });
});

test('a test file is run alone, unless its module changed too; a deleted one is not', () => {
  const one = 'test/cart/cart.test.ts';
  deepEqual(select([one, 'test/cart/gone.test.ts'], FILES), { ...NOTHING, tests: [one] });
  deepEqual(select([one, 'src/cart/routes.ts'], FILES).tests, ['test/cart/', ...CONTRACT]);
  deepEqual(select(['test/cart/samples.ts'], FILES).modules, ['cart']);
});

test('the kernel and the router are tested with every endpoint', () => {
  deepEqual(select(['src/kernel/values/money.ts', 'src/cart/routes.ts'], FILES), {
    ...NOTHING,
    tests: ['test/cart/', 'test/contract/', 'test/kernel/'],
  });
  deepEqual(select(['src/app.ts'], FILES), { ...NOTHING, tests: ['test/contract/'] });
});

test('what every test depends on runs all of them', () => {
  for (const path of ['test/support/world.ts', 'vitest.config.ts', 'package-lock.json']) {
    deepEqual(select([path, 'src/cart/routes.ts'], FILES), { ...NOTHING, tests: [''] });
  }
  deepEqual(select(['migrations/main/0001.sql'], FILES), {
    ...NOTHING,
    tests: [''],
    scripts: ['scripts/migrations/migrations.test.ts'],
  });
});

test('scripts, the client and the documents have tests of their own', () => {
  deepEqual(select(['scripts/import/import.ts', 'scripts/dev/dev.ts'], FILES).scripts, [
    'scripts/import/import.test.ts',
  ]);
  deepEqual(select(['client/src/index.ts'], FILES), {
    ...NOTHING,
    tests: ['test/client/'],
    scripts: ['scripts/contract/client.test.ts'],
  });
  deepEqual(select(['docs/selling.md', 'README.md'], FILES), {
    ...NOTHING,
    scripts: ['scripts/docs.test.ts'],
  });
  deepEqual(select(['examples/nextless/server.ts'], FILES), {
    ...NOTHING,
    scripts: ['scripts/dev/example.test.ts'],
  });
  deepEqual(select(['scripts/seeds.test.ts', 'scripts/gone.test.ts'], FILES), {
    ...NOTHING,
    scripts: ['scripts/seeds.test.ts'],
  });
  deepEqual(select(['LICENSE', 'scripts/browser/screen.ts'], FILES), NOTHING);
});

test('a clone of another branch is compared with the main of its origin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'));
  after(() => rmSync(folder, { recursive: true }));
  const gitIn =
    (cwd: string) =>
    (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
  const origin = gitIn(folder);
  const commit = () => origin('commit', '--quiet', '--allow-empty', '--no-gpg-sign', '--message', 'A change');
  origin('init', '--quiet', '--initial-branch', 'main');
  commit();
  const main = origin('rev-parse', 'HEAD');
  origin('switch', '--quiet', '--create', 'topic');
  commit();
  equal(leftMain(origin), main);
  origin('clone', '--quiet', '.', 'clone');
  const clone = gitIn(join(folder, 'clone'));
  equal(leftMain(clone), main);
  clone('remote', 'remove', 'origin');
  equal(leftMain(clone), null);
});
