/** Checks that every product of the demo shop has a small picture of its own, with an alternative text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRODUCTS } from '../demo/index.ts';
import { drawPicture } from './index.ts';
import { drawIcon, drawLogo } from './logo.ts';

/** What a picture may weigh, in bytes. */
const MAX_BYTES = 16 * 1024;

test('every product has a small picture of its own', () => {
  const seen = new Set<string>();
  for (const { sku } of PRODUCTS) {
    const { alt, png } = drawPicture(sku);
    assert.ok(png.length < MAX_BYTES, `${sku} has ${png.length} bytes`);
    assert.ok(alt.length > 5 && alt.length <= 125, `${sku} has no alternative text of a sentence`);
    seen.add(png.toString('base64'));
  }
  assert.equal(seen.size, PRODUCTS.length);
});

test('the shop has a small logo, five times as wide as high, and a square icon', () => {
  for (const [png, ratio] of [
    [drawLogo(), 5],
    [drawIcon(), 1],
  ] as const) {
    assert.ok(png.length < MAX_BYTES, `${png.length} bytes`);
    // Width and height in the header of the file (PNG, 11.2.1).
    assert.equal(png.readUInt32BE(16) / png.readUInt32BE(20), ratio);
  }
});
