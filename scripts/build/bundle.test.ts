import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
