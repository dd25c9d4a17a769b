import { expect, it } from 'vitest';
import { editor } from './editor.ts';

it('tells variants with long values apart by each of them', async () => {
  const glaze = 'Celadon with a very long description';
  const values = ['Small', 'Large', 'Extraordinarily large'];
  const variants = values.map((Size, n) => ({
    ...{ sku: `BOWL-${n}`, price: 20, stock: 3, attributes: { Glaze: glaze, Size } },
  }));
  const { developer, here } = await editor({ name: 'Bowl', type: 'configurable', variants });
  const { html } = await developer.get(`${here}/variants`);
  const named = (label: string) => [...html.matchAll(new RegExp(`aria-label="${label} ([^"]+)"`, 'g'))];
  for (const label of ['Price of', 'SKU of', 'Remove']) {
    expect(named(label).map(([, name]) => name)).toEqual([
      'Celadon with a very lon… / Small',
      'Celadon with a very lon… / Large',
      'Celadon with a… / Extraordinari…',
    ]);
  }
  // The SKU has the room below the name.
  expect(html).toMatch(/Small<\/a><input [^>]*name="sku-/);
});
