import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { columnsOf } from '../../src/imports/csv/columns.ts';
import { uploadedPictures } from '../../src/imports/run/uploaded-pictures.ts';
import { png, uploaded } from '../media/images.ts';
import { importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

const HEADER =
  'Handle,Title,Option1 Name,Option1 Value,Variant Price,Image Src,Image Alt Text,Variant Image\n';

const mediaCount = async (shop: World): Promise<number> => (await shop.get('/media')).body.meta.total;

it('shows uploaded images that a file names by id, beside foreign ones', async () => {
  const shop = await world();
  const [front, back] = [await uploaded(shop, png(4, 3)), await uploaded(shop, png(3, 4))];
  const file = `${HEADER}tee,Tee,Size,S,5,${front.id},Front,${back.id}\ntee,,,L,5,https://img.example/a.jpg,,\n`;
  expect(await importFile(shop, file)).toMatchObject({ created: 1, failed: 0 });
  const { tee } = await productsBySlug(shop);
  expect(tee?.media).toMatchObject([
    { url: front.url, alt: 'Front', width: 4, height: 3 },
    { url: 'https://img.example/a.jpg', alt: null, width: null },
  ]);
  expect(tee?.variants[0].image).toBe(back.url);
  expect((await shop.get(`/media/${front.id}`)).body.product_ids).toEqual([tee?.id]);
  expect(await importFile(shop, file)).toMatchObject({ unchanged: 1, failed: 0 });
});

it("ignores an id of no image, another shop's included, and says so", async () => {
  const [shop, other] = [await world(), await world()];
  const { id } = await uploaded(other, png(4, 3));
  const done = await importFile(shop, `${HEADER}cup,Cup,,,5,${id},,\nmug,Mug,,,5,med_none,,\n`);
  expect(done).toMatchObject({ created: 2, failed: 2 });
  expect(done.errors).toMatchObject([
    { line: 2, field: 'Image Src', message: expect.stringContaining('the id of an uploaded image') },
    { line: 3, field: 'Image Src', message: expect.stringContaining('"med_none" is ignored') },
  ]);
  expect((await productsBySlug(shop)).cup?.images).toEqual([]);
});

it('shows the same images after an export and an import, without a copy', async () => {
  const shop = await world();
  const [front, back] = [await uploaded(shop, png(4, 3)), await uploaded(shop, png(3, 4))];
  await importFile(
    shop,
    `${HEADER}tee,Tee,Size,S,5,${front.id},Front,${back.id}\ntee,,,L,5,https://img.example/a.jpg,,\n`,
  );
  const { tee } = await productsBySlug(shop);
  const exported = await shop.get('/exports/products', { headers: { accept: 'text/csv' } });
  expect(await importFile(shop, String(exported.body))).toMatchObject({ unchanged: 1, failed: 0 });
  expect((await shop.delete(`/products/${tee?.id}`)).status).toBe(204);
  expect(await importFile(shop, String(exported.body))).toMatchObject({ created: 1, failed: 0 });
  const again = (await productsBySlug(shop)).tee;
  expect(again?.media).toEqual(tee?.media);
  expect(again?.variants.map(({ image }: { image: string }) => image)).toEqual(
    tee?.variants.map(({ image }: { image: string }) => image),
  );
  expect(await mediaCount(shop)).toBe(2);
});

it.each([
  ['true', 1],
  ['false', 0],
])(
  "takes an uploaded image of a service on the developer's machine if DEV_ALLOW_LOCAL_URLS is %s",
  async (allowed, count) => {
    const shop = await world();
    const columns = columnsOf(['Handle', 'Title', 'Image Src']);
    if (typeof columns === 'string') throw new Error(columns);
    const cell = `http://127.0.0.1:8787/media/${shop.slug}/${'a'.repeat(64)}`;
    const local = Object.create(env, { DEV_ALLOW_LOCAL_URLS: { value: allowed } });
    const context = { ...contextOf(shop), env: local, origin: 'http://127.0.0.1:8787', slug: shop.slug };
    const found = await uploadedPictures(context, [{ line: 2, cells: ['cup', 'Cup', cell] }], columns);
    expect([...found]).toEqual([[cell, cell]].slice(0, count));
  },
);
