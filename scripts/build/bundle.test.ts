import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bundle, MAX_BUNDLE_KIB, SERVICE } from './bundle.ts';

test(`the deployed bundle has at most ${MAX_BUNDLE_KIB} KiB gzipped`, async () => {
  const bytes = gzipSync(readFileSync(await bundle(SERVICE, 'size'))).length;
  const kib = Math.round(bytes / 1024);
  assert.ok(kib <= MAX_BUNDLE_KIB, `${kib} KiB; wrangler deploy --dry-run --metafile shows what is in it`);
});
