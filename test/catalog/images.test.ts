import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { fetchImage, png, uploaded } from '../media/images.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { lazy } from '../support/lazy.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { type Answer, type World, world } from '../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

/** Images of products: alternative texts, sizes of uploaded ones, and that those are not deleted. */

const OTHER = 'https://cdn.example.com/cup.jpg';
const cup = (more: object) => ({ name: `Cup ${crypto.randomUUID()}`, type: 'simple', price: 9, ...more });

async function made(shop: World, more: object): Promise<Answer['body']> {
  const answer = await shop.post('/products', cup(more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const read = async (shop: World, id: number) => (await shop.get(`/products/${id}`)).body;

describe('images of a product', () => {
  it('have a text and, if they were uploaded, a size, wherever products are shown', async () => {
    const shop = await world();
    const { url } = await uploaded(shop, png(80, 60));
    const product = await made(shop, { images: [{ url, alt: 'A blue cup' }, OTHER] });
    const media = [
      { url, alt: 'A blue cup', width: 80, height: 60 },
      { url: OTHER, alt: null, width: null, height: null },
    ];
    expect(product).toMatchObject({ images: [url, OTHER], media });
    expect((await read(shop, product.id)).media).toEqual(media);
    const fresh = { headers: { 'x-catalog-version': String(Date.now() + 1) } };
    const list = await shop.get('/products', fresh);
    expect(list.body.data[0]).toMatchObject({ images: [url, OTHER], media });
  });

  it('keep their text until it is replaced or removed', async () => {
    const shop = await world();
    const { id } = await made(shop, { images: [{ url: OTHER, alt: 'A cup' }] });
    const path = `/products/${id}`;
    const alts = ({ body }: Answer) => body.media.map(({ alt }: { alt: string | null }) => alt);
    expect(alts(await shop.patch(path, { name: 'Other' }))).toEqual(['A cup']);
    expect(alts(await shop.patch(path, { images: [OTHER, `${OTHER}?2`] }))).toEqual(['A cup', null]);
    expect(alts(await shop.patch(path, { images: [{ url: OTHER }] }))).toEqual(['A cup']);
    expect(alts(await shop.patch(path, { images: [{ url: OTHER, alt: 'Ein Becher' }] }))).toEqual([
      'Ein Becher',
    ]);
    expect(alts(await shop.patch(path, { images: [{ url: OTHER, alt: null }] }))).toEqual([null]);
    expect(alts(await shop.patch(path, { images: [] }))).toEqual([]);
  });

  it('take their texts in `media` as well, which may be sent back as it was read', async () => {
    const shop = await world();
    const { url } = await uploaded(shop, png(80, 60));
    const { id, media } = await made(shop, { images: [url, OTHER], media: [{ url: OTHER, alt: 'A cup' }] });
    const sized = { url, alt: null, width: 80, height: 60 };
    expect(media).toEqual([sized, { url: OTHER, alt: 'A cup', width: null, height: null }]);
    const shown = async (body: object) => (await shop.patch(`/products/${id}`, body)).body;
    expect((await shown({ media })).media).toEqual(media);
    const [first, second] = media;
    const named = { ...first, alt: 'A blue cup' };
    expect((await shown({ media: [second, named] })).media).toEqual([second, named]);
    expect(await shown({ media: [named] })).toMatchObject({ images: [url], media: [named] });
    const both = { images: [{ url, alt: 'Mine' }, `${OTHER}?2`], media: [named, second] };
    expect((await shown(both)).media).toMatchObject([{ alt: 'Mine' }, { alt: null }]);
    expect((await shown({ media: [{ url, alt: null }] })).media).toEqual([sized]);
    expect(await shown({ media: [] })).toMatchObject({ images: [], image: null, media: [] });
  });

  it.each([
    [{ url: 'http://127.0.0.1:8787/admin' }, 'media.1.url'],
    [{ url: OTHER, alt: '' }, 'media.1.alt'],
    [{ url: OTHER, title: 'x' }, 'media.1.title'],
    [OTHER, 'media.1'],
  ])('refuse %j in `media`', async (image, field) => {
    const shop = await world();
    const answer = await shop.post('/products', cup({ media: [{ url: OTHER }, image] }));
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('count as changed when only a text is', async () => {
    const shop = await world();
    const { id } = await made(shop, { images: [OTHER] });
    const before = await shop.get(`/products/${id}`);
    const after = await shop.patch(`/products/${id}`, { images: [{ url: OTHER, alt: 'A cup' }] });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const { results } = await storeOf(shop)
      .prepare(
        "SELECT data ->> '$.changed' AS changed FROM outbox WHERE tenant_id = ? ORDER BY sequence DESC LIMIT 1",
      )
      .bind(shop.tenantId)
      .all();
    expect(results).toEqual([{ changed: '["images"]' }]);
  });

  it.each([
    [{ url: 'http://cdn.example.com/a.png' }, 'images.1.url'],
    [{ url: OTHER, alt: '' }, 'images.1.alt'],
    [{ url: OTHER, alt: 'x'.repeat(513) }, 'images.1.alt'],
    [{ url: OTHER, alt: 'x', title: 'y' }, 'images.1.title'],
    [{ alt: 'x' }, 'images.1'],
    ['http://127.0.0.1:8787/admin', 'images.1'],
    ['http://127.0.0.1:8787/media/demo/1', 'images.1'],
    [7, 'images.1'],
  ])('refuse %j', async (image, field) => {
    const shop = await untouched();
    const answer = await shop.post('/products', cup({ images: [OTHER, image] }));
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('may be those of a service on this machine only where local URLs are allowed', async () => {
    const shop = await world();
    const images = [`http://127.0.0.1:8787/media/demo/${'a'.repeat(64)}`];
    const refused = await shop.post('/products', cup({ images }));
    expectProblem(refused, 422, 'validation_error');
    expect(refused.body.errors).toEqual({ 'images.0': ['must be an https URL'] });
    const { id } = await made(shop, {});
    expectProblem(await shop.patch(`/products/${id}`, { images }), 422, 'validation_error');
    const local = { ...env, DEV_ALLOW_LOCAL_URLS: 'true' };
    const init = { body: JSON.stringify(cup({ images })), headers: { 'content-type': 'application/json' } };
    const answer = await fetchWith(local, 'POST', '/v1/products', shop.token, init);
    expect([answer.status, await answer.json()]).toMatchObject([201, { images }]);
  });
});

describe('an uploaded image', () => {
  it('is not deleted while a product or a variant shows it', async () => {
    const shop = await world();
    const [front, red] = [await uploaded(shop, png(8, 9)), await uploaded(shop, png(8, 10))];
    const variants = [{ sku: crypto.randomUUID(), price: 9, attributes: { color: 'red' }, image: red.url }];
    const product = await made(shop, { type: 'configurable', images: [`${front.url}?w=640`], variants });
    const second = await made(shop, { images: [front.url] });
    for (const [{ id }, shown] of [
      [front, [product.id, second.id]],
      [red, [product.id]],
    ] as const) {
      const refused = await shop.delete(`/media/${id}`);
      expectProblem(refused, 409, 'media_in_use');
      expect(refused.body.details).toEqual({ product_ids: shown, category_ids: [], theme: false });
    }
    await shop.patch(`/products/${second.id}`, { images: [] });
    expectProblem(await shop.delete(`/media/${front.id}`), 409, 'media_in_use');
    expect((await fetchImage(front.url)).status).toBe(200);
    expect((await shop.delete(`/products/${product.id}`)).status).toBe(204);
    expect((await shop.delete(`/media/${front.id}`)).status).toBe(204);
    expect((await shop.delete(`/media/${red.id}`)).status).toBe(204);
  });

  it('is not deleted while a product names it for shared links', async () => {
    const shop = await world();
    const shared = await uploaded(shop, png(8, 15));
    const product = await made(shop, {});
    const seo = { title: 'Cup', og_image: shared.url };
    expect((await shop.patch(`/products/${product.id}`, { seo })).status).toBe(200);
    const refused = await shop.delete(`/media/${shared.id}`);
    expectProblem(refused, 409, 'media_in_use');
    expect(refused.body.details.product_ids).toEqual([product.id]);
    const { data } = (await shop.get(`/media/${shared.id}/products`)).body;
    expect(data).toMatchObject([{ id: product.id, in_images: false }]);
    expect((await read(shop, product.id)).media).toEqual([]);
    await shop.patch(`/products/${product.id}`, { seo: { title: 'Cup' } });
    expect((await shop.delete(`/media/${shared.id}`)).status).toBe(204);
  });

  it('is not deleted while a product shows it by a URL with a fragment', async () => {
    const shop = await world();
    const front = await uploaded(shop, png(8, 16));
    const product = await made(shop, { images: [`${front.url}?w=640#front`] });
    const refused = await shop.delete(`/media/${front.id}`);
    expectProblem(refused, 409, 'media_in_use');
    expect(refused.body.details.product_ids).toEqual([product.id]);
    expect((await read(shop, product.id)).media).toMatchObject([{ width: 8, height: 16 }]);
    await shop.patch(`/products/${product.id}`, { images: [] });
    expect((await shop.delete(`/media/${front.id}`)).status).toBe(204);
  });

  it('is not deleted while a category or the theme shows it', async () => {
    const shop = await world();
    const [banner, logo] = [await uploaded(shop, png(8, 13)), await uploaded(shop, png(8, 14))];
    const shown = (await shop.post('/categories', { name: 'Tea', image_url: `${banner.url}?w=640` })).body;
    const shared = (await shop.post('/categories', { name: 'Cups', seo: { og_image: banner.url } })).body;
    expect((await shop.patch('/theme/options', { logo_url: logo.url })).status).toBe(200);
    const ofBanner = await shop.delete(`/media/${banner.id}`);
    expectProblem(ofBanner, 409, 'media_in_use');
    const ids = [shown.id, shared.id];
    expect(ofBanner.body.details).toEqual({ product_ids: [], category_ids: ids, theme: false });
    const ofLogo = await shop.delete(`/media/${logo.id}`);
    expectProblem(ofLogo, 409, 'media_in_use');
    expect(ofLogo.body.details).toEqual({ product_ids: [], category_ids: [], theme: true });
    for (const url of [banner.url, logo.url]) expect((await fetchImage(url)).status).toBe(200);
    await shop.patch(`/categories/${shown.id}`, { image_url: null });
    await shop.delete(`/categories/${shared.id}`);
    await shop.patch('/theme/options', { logo_url: null });
    for (const { id } of [banner, logo]) expect((await shop.delete(`/media/${id}`)).status).toBe(204);
  });

  it('is deleted though another tenant shows it', async () => {
    const [shop, other] = [await world(), await world()];
    const { id, url } = await uploaded(shop, png(8, 11));
    expect((await made(other, { images: [url] })).media).toEqual([
      { url, alt: null, width: null, height: null },
    ]);
    expect((await other.post('/categories', { name: 'Tea', image_url: url })).status).toBe(201);
    expect((await other.patch('/theme/options', { logo_url: url })).status).toBe(200);
    expect((await shop.delete(`/media/${id}`)).status).toBe(204);
  });

  it('is either shown or deleted, when both are asked for at once, or the product came first', async () => {
    const shop = await world();
    for (let round = 0; round < 5; round++) {
      const { id, url } = await uploaded(shop, png(9, 9));
      const [product, deleted] = await Promise.all([
        made(shop, { images: [url] }),
        shop.delete(`/media/${id}`),
      ]);
      expect([204, 409]).toContain(deleted.status);
      expect((await fetchImage(url)).status).toBe(deleted.status === 204 ? 404 : 200);
      const sized = (await shop.patch(`/products/${product.id}`, { name: 'Seen' })).body.media[0].width;
      expect(sized).toBe(deleted.status === 204 ? null : 9);
    }
  });
});

it('an import sets alternative texts', async () => {
  const shop = await world();
  const file = (alt: string) =>
    `Handle,Title,Price,Image Src,Image Position,Image Alt Text\ncup,Cup,9,${OTHER},1,${alt}\ncup,,,${OTHER}?2,2,\n`;
  await importFile(shop, file('A cup'));
  const media = async () =>
    (await productsBySlug(shop)).cup.media.map(({ alt }: { alt: string | null }) => alt);
  expect(await media()).toEqual(['A cup', null]);
  expect(await importFile(shop, file('A cup'))).toMatchObject({ unchanged: 1 });
  await importFile(shop, `Handle,Title,Price,Image Src\ncup,Cup,9,${OTHER}\n`);
  expect(await media()).toEqual(['A cup']);
  await importFile(shop, file(''));
  expect(await media()).toEqual([null, null]);
  expect(await importFile(shop, file('x'.repeat(513)))).toMatchObject({ failed: 1 });
});
