/** Tests that the tests draw nothing at random that `SEED` doesn't repeat. */
import { deepEqual } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

test('all random cases follow the seed of the run', () => {
  const files = globSync('test/**/*.{ts,tsx}', { cwd: root });
  const drawing = files.filter((path) => readFileSync(join(root, path), 'utf8').includes('Math.random('));
  deepEqual(drawing, []);
});
