/** The search of the list of images. */
import { expect, it } from 'vitest';
import { fetchWith, interceptBindings, MAIN_BATCH, MAIN_DATABASES } from '../support/faults/bindings.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { lazy } from '../support/lazy.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';
import { png, uploaded } from './images.ts';

/** A shop with images that products describe: one of them two, and two of them one; and one that nothing shows. */
const shopOfPictures = lazy(async () => {
  const shop = await world();
  const pictures: Record<string, string> = {};
  for (const [n, name] of ['front', 'side', 'loose', 'set'].entries()) {
    pictures[name] = (await uploaded(shop, png(10 + n, 10))).url;
  }
  const { front, side, set } = pictures;
  await createProduct(shop, {
    name: 'Çay cup',
    images: [
      { url: front, alt: 'Blue stoneware, from the front' },
      { url: side, alt: 'Handle' },
    ],
  });
  await createProduct(shop, {
    name: 'Tea set',
    status: 'inactive',
    images: [{ url: front, alt: 'A pair' }, { url: set }],
  });
  return { shop, pictures };
});

async function search(q: string, more = '') {
  const { shop, pictures } = await shopOfPictures();
  const { status, body } = await shop.get(`/media?q=${encodeURIComponent(q)}${more}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const nameOf = (url: string) => Object.entries(pictures).find(([, one]) => one === url)?.[0];
  return { names: body.data.map(({ url }: { url: string }) => nameOf(url)), meta: body.meta };
}

it.each([
  ['a word of the alternative text', 'stoneware', ['front']],
  ['beginnings of words, in any order', 'fro blu', ['front']],
  ['the name of a product, without case and accents', 'CAY', ['side', 'front']],
  ['the name of an inactive product', 'tea', ['set', 'front']],
  ['words of name and alternative text', 'cup handle', ['side']],
  ['words of two products, which is not found', 'cup pair', []],
  ['the end of a word, which is not found', 'ware', []],
  ['no word at all', '!!', []],
])('finds images by %s', async (_, q, expected) => {
  const { names, meta } = await search(q);
  expect([names, meta.total]).toEqual([expected, expected.length]);
});

it.each([
  ['a Japanese word', 'シャツ', true],
  ['the same in hiragana', 'しゃつ', true],
  ['one with letters of another script', 'Tシャ', true],
  ['one that is not there', '赤い', false],
  ['a Thai word', 'ผ้าฝ้าย', true],
  ['a word of a script with spaces', 'usb', true],
  ['the end of such a word', 'sb', false],
  ['a Korean word', '가방', true],
  ['a Korean syllable', '방', false],
  ['a word that is far within a sentence', '文末', true],
])('finds %s within text without spaces', async (_, q, isFound) => {
  const shop = await world();
  const { url } = await uploaded(shop, png(7, 7));
  const alt = `เสื้อยืดผ้าฝ้ายสีขาว 高速USB充電器 여성가방 ${'長'.repeat(80)}文末`;
  await createProduct(shop, { name: 'メンズTシャツ', images: [{ url, alt }] });
  const { body } = await shop.get(`/media?q=${encodeURIComponent(q)}`);
  expect(body.meta.total).toBe(isFound ? 1 : 0);
});

it('pages through what it finds, by number and by cursor', async () => {
  const first = await search('cup', '&limit=1');
  expect([first.names, first.meta.total, first.meta.total_pages]).toEqual([['side'], 2, 2]);
  const next = await search('cup', `&limit=1&cursor=${first.meta.next_cursor}`);
  expect([next.names, next.meta.next_cursor]).toEqual([['front'], null]);
  expect((await search('cup', '&limit=1&page=2')).names).toEqual(['front']);
});

it.each(['', '%20', 'x'.repeat(101)])('refuses %j', async (q) => {
  const { shop } = await shopOfPictures();
  const { status, body } = await shop.get(`/media?q=${q}`);
  expect([status, Object.keys(body.errors)]).toEqual([422, ['q']]);
});

it('does not find images of deleted products, nor those of another tenant', async () => {
  const [shop, other] = [await world(), await world()];
  for (const one of [shop, other]) {
    const { url } = await uploaded(one, png(3, 2));
    const made = await createProduct(one, { name: 'Cup', images: [{ url, alt: 'Blue' }] });
    if (one === shop) await shop.delete(`/products/${made.body.id}`);
  }
  expect((await shop.get('/media?q=blue')).body.data).toEqual([]);
  expect((await other.get('/media?q=blue')).body.data).toHaveLength(1);
});

it('goes on to the next page where an image of this one is deleted meanwhile', async () => {
  const shop = await world();
  const ids: string[] = [];
  for (let n = 1; n <= 4; n++) {
    const { id, url } = await uploaded(shop, png(n, 2));
    ids.unshift(id);
    await createProduct(shop, { name: 'Cup', images: [{ url }] });
  }
  const [newest, ...others] = ids;
  const remove = () =>
    storeOf(shop).prepare("UPDATE media SET state = 'deleting' WHERE id = ?").bind(newest).run();
  const thenRemove = async (call: () => unknown) => {
    const answer = await call();
    await remove();
    return answer;
  };
  const bindings = interceptBindings(MAIN_DATABASES, (name, call) =>
    MAIN_BATCH.test(name) ? thenRemove(call) : call(),
  );
  const response = await fetchWith(bindings, 'GET', '/v1/media?q=cup&limit=2', shop.token);
  const { data, meta } = await response.json<{ data: { id: string }[]; meta: { next_cursor: string } }>();
  expect(data.map(({ id }) => id)).toEqual(others.slice(0, 2));
  const next = await shop.get(`/media?q=cup&limit=2&cursor=${meta.next_cursor}`);
  expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual(others.slice(2));
});

/** Adds copies of a stored image, which a product shows. */
async function copy({ tenantId }: World, productId: number, many: number): Promise<void> {
  const numbers = JSON.stringify([...Array(many).keys()]);
  await storeOf({ tenantId }).batch([
    storeOf({ tenantId })
      .prepare(
        `INSERT INTO media (id, tenant_id, hash, content_type, width, height, bytes, state, generation, touched_at, created_at)
          SELECT 'med_' || tenant_id || '_' || value, tenant_id, 'hash-' || value, content_type, width, height, bytes,
            state, generation, touched_at, created_at + 1 + value FROM media, json_each(?) WHERE tenant_id = ?`,
      )
      .bind(numbers, tenantId),
    storeOf({ tenantId })
      .prepare(
        "INSERT INTO media_uses (tenant_id, product_id, hash) SELECT ?, ?, 'hash-' || value FROM json_each(?)",
      )
      .bind(tenantId, productId, numbers),
  ]);
}

it('looks at the 2,000 newest images alone', async () => {
  const shop = await world();
  const { url } = await uploaded(shop, png(3, 2));
  const { id } = (await createProduct(shop, { name: 'Cup', images: [{ url, alt: 'Blue' }] })).body;
  expect((await shop.get('/media?q=blue')).body.meta.total).toBe(1);
  await copy(shop, id, 2_500);
  expect((await shop.get('/media?q=blue')).body.meta.total).toBe(0);
  const { read } = await measureDatabase(async () => {
    const { body } = await shop.get('/media?q=cup&limit=1');
    expect([body.data.length, body.meta.total]).toEqual([1, 2_000]);
  });
  // Seven rows for each image that it looks at.
  expect(read).toBeLessThan(14_200);
});
