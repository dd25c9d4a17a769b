/** Checks that every product of the demo shop has a small picture of its own, with an alternative text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRODUCTS } from './demo/index.ts';
import { drawPicture } from './pictures/index.ts';

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
