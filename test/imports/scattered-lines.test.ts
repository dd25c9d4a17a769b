import { describe, expect, it } from 'vitest';
import { importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { type World, world } from '../support/world.ts';

const HEADER =
  'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty,Variant Requires Shipping';
const S = 'tee,Tee,Size,S,T-S,10,1,TRUE';
const M = 'tee,,,M,T-M,11,2,TRUE';
const L = 'tee,,,L,T-L,12,3,TRUE';
const MUG = 'mug,Mug,Title,Default Title,MUG,5,4,TRUE';
const file = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`;

const variantsOf = async (shop: World): Promise<[number, string, number][]> =>
  (await productsBySlug(shop)).tee.variants.map(
    ({ id, sku, stock }: { id: number; sku: string; stock: number }) => [id, sku, stock],
  );

describe('lines of a product that are apart, as after sorting a spreadsheet', () => {
  it.each([
    ['the first ones with the Title', [S, MUG, M, L], [4, 5]],
    ['the last one with the Title', [L, M, MUG, S], [2, 3]],
    [
      'one with the Title between others',
      [L, MUG, S, M.replace('tee', 'TEE'), 'cup,Cup,,,CUP,5,1,TRUE', L],
      [2, 7],
    ],
  ])('cost no variant: %s', async (_, lines, failed) => {
    const shop = await world();
    await importFile(shop, file(S, M, L, MUG));
    const before = await variantsOf(shop);
    const done = await importFile(shop, file(...lines));
    expect(done.errors).toMatchObject(
      failed.map((line) => ({
        line,
        field: 'Title',
        message:
          'The Title is missing: the line of this product that has it could not be read, or is not next to this one.',
      })),
    );
    expect(await variantsOf(shop)).toEqual(before);
  });

  it('are found in a file of several chunks, before and behind', async () => {
    const shop = await world();
    await importFile(shop, file(S, M, L));
    const before = await variantsOf(shop);
    const padding = Array.from({ length: 9 }, (_, n) => `p${n},${'x'.repeat(300_000)},,,P-${n},1,1,TRUE`);
    await importFile(shop, file(M, ...padding, S, ...padding, L));
    expect(await variantsOf(shop)).toEqual(before);
  });

  it('are no reason to keep variants that the file leaves out, of products without such lines', async () => {
    const shop = await world();
    await importFile(shop, file(S, M, L, MUG));
    expect(await importFile(shop, file(MUG, S, M, MUG))).toMatchObject({ updated: 1, failed: 1 });
    expect((await variantsOf(shop)).map(([, sku]) => sku)).toEqual(['T-S', 'T-M']);
  });
});
