import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bundle, MAX_BUNDLE_KIB, SERVICE } from './bundle.ts';

test(`the deployed bundle has at most ${MAX_BUNDLE_KIB} KiB gzipped`, async () => {
  const code = readFileSync(await bundle(SERVICE, 'size'));
  const kib = Math.round(gzipSync(code).length / 1024);
  assert.ok(kib <= MAX_BUNDLE_KIB, `${kib} KiB; wrangler deploy --dry-run --metafile shows what is in it`);
  // Of the original `is` (drizzle-entity.ts).
  assert.ok(!code.includes("doesn't look like a Drizzle entity"));
});

test('npm run stack prints a line of the log frame by frame, with the places of the source files', async () => {
  const code = readFileSync(await bundle(SERVICE, 'worker'), 'utf8');
  const before = code.slice(0, code.indexOf('dead_letters_not_recorded",')).split('\n');
  const place = `index.js:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  const line = { event: 'chore_failed', stack: [`    at a (${place})`, `    at async b (${place})`] };
  const script = join(import.meta.dirname, '../deploy/stack.ts');
  const { stdout } = spawnSync(process.execPath, [script], { input: JSON.stringify(line), encoding: 'utf8' });
  assert.match(stdout, /^.*at a \(src\/index\.ts:\d+:\d+\)\n {4}at async b \(src\/index\.ts[^\n]+$/);
});
