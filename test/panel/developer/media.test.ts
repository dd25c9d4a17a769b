import { expect, it } from 'vitest';
import { png, uploaded } from '../../media/images.ts';
import { asDeveloper, fieldsOf } from '../../support/fixtures/browser.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

const root = '/developer/media';

it('uploads a picture, shows where it is used, and deletes what nothing shows', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(root);
  expect(html).toContain('No pictures yet');
  const body = new FormData();
  for (const [name, value] of Object.entries(fieldsOf(html, root))) body.append(name, String(value));
  body.append('picture', new File([png(30, 20)], 'mug.png', { type: 'image/png' }));
  const sent = await developer.send('POST', root, body, { origin: 'https://api.example.com' });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${root}?note=created`]);
  const used = await uploaded(shop, png(40, 40));
  const product = await shop.post('/products', {
    name: 'Mug',
    type: 'simple',
    price: 5,
    images: [{ url: used.url }],
  });
  const list = (await developer.get(root)).html;
  expect(list).toContain('PNG 30 × 20');
  // Screen readers say which of two pictures of the same size it is.
  expect(list).toContain(`alt="Picture ${used.id.slice(-6)}"`);
  expect(list).toContain(`<a href="/developer/products/${product.body.id}">Mug</a>`);
  const held = await developer.get(`${root}/${used.id}/delete`);
  expect(held.html).toContain(`can’t be deleted: <a href="/developer/products/${product.body.id}">Mug</a>.`);
  // A button that would be refused leads nowhere.
  expect(held.html).not.toContain('Delete picture');
  await developer.get(root);
  expect((await developer.post(`${root}/${used.id}/delete`, {})).status).toBe(409);
  const [free = ''] = [...list.matchAll(/media\/(med_\w+)\/delete/g)]
    .map(([, id]) => id)
    .filter((id) => id !== used.id);
  await developer.get(`${root}/${free}/delete`);
  expect((await developer.submit(`${root}/${free}/delete`, {})).html).toContain('Removed.');
  expect((await shop.get('/media')).body.data).toMatchObject([
    { id: used.id, product_ids: [product.body.id] },
  ]);
});

it('searches pictures by alternative text and product, and keeps the search on the next page', async () => {
  const shop = await world();
  for (let n = 1; n <= 14; n++) {
    const { url } = await uploaded(shop, png(n, 20));
    const images = [{ url, alt: n === 3 ? 'From the side' : 'From the front' }];
    await shop.post('/products', { name: `Mug ${n}`, type: 'simple', price: 5, images });
  }
  const developer = await asDeveloper(shop.slug);
  const found = (await developer.get(`${root}?q=+front+`)).html;
  expect(found).toContain('13 in total');
  expect(found).toContain('value="front"');
  expect(found).not.toContain('Mug 3<');
  const next =
    /href="(\/developer\/media\?[^"]*page=2[^"]*)"/.exec(found)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await developer.get(next)).html).toContain('>Mug 1</a>');
  const none = (await developer.get(`${root}?q=teapot`)).html;
  expect(none).toContain(`No pictures found. <a href="${root}">Show all pictures</a>`);
  expect(none).toContain('A search looks at the 2,000 newest pictures.');
  const refused = await developer.get(`${root}?q=${'x'.repeat(101)}`);
  expect([refused.status, refused.html.includes('role="alert">q: ')]).toEqual([422, true]);
});

it('names three of the products that show a picture, also hidden ones, and leads to the others', async () => {
  const shop = await world();
  const { id, url } = await uploaded(shop, png(40, 40));
  for (const name of ['Cup', 'Mug', 'Bowl', 'Jug']) {
    const product = { name, type: 'simple', price: 5, status: 'inactive', images: [{ url }] };
    await shop.post('/products', product);
  }
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(root);
  for (const name of ['Cup', 'Mug', 'Bowl']) expect(html).toContain(`>${name}</a>`);
  expect(html).not.toContain('>Jug<');
  expect(html).toContain(`and <a href="${root}/${id}">others</a>`);
  expect((await developer.get(`${root}/${id}`)).html).toContain('In Jug');
});

it('says that a category or the theme keeps a picture from being deleted, and leads there', async () => {
  const shop = await world();
  const { id, url } = await uploaded(shop, png(40, 40));
  const category = await shop.post('/categories', { name: 'Mugs', image_url: url });
  await shop.patch('/theme/options', { logo_url: url });
  const developer = await asDeveloper(shop.slug);
  const asked = await developer.get(`${root}/${id}/delete`);
  expect(asked.html).toContain('It can’t be deleted while a category or the theme shows it.');
  const refused = await developer.post(`${root}/${id}/delete`, {});
  expect(refused.status).toBe(409);
  expect(refused.html).toContain(`<a href="/developer/categories/${category.body.id}">Mugs</a>`);
  expect(refused.html).toContain('<a href="/developer/theme">The theme</a>');
});

it('describes a picture in each product that shows it, and leaves the other pictures as they are', async () => {
  const shop = await world();
  const [picture, other] = [await uploaded(shop, png(40, 40)), await uploaded(shop, png(41, 40))];
  const images = [{ url: other.url, alt: 'From above' }, { url: picture.url }];
  const product = async (name: string) =>
    (await shop.post('/products', { name, type: 'simple', price: 5, images })).body.id as number;
  const [mug, cup] = [await product('Mug'), await product('Cup')];
  const developer = await asDeveloper(shop.slug);
  const here = `${root}/${picture.id}`;
  const { html } = await developer.get(here);
  expect(html).toContain('>In Mug<');
  const saved = await developer.submit(here, { ...fieldsOf(html, here), [`alt-${cup}`]: 'A blue cup' });
  expect(saved.html).toContain('Saved.');
  const alts = async (id: number) =>
    (await shop.get(`/products/${id}`, NEWEST)).body.media.map(({ alt }: { alt: string | null }) => alt);
  expect([await alts(mug), await alts(cup)]).toEqual([
    ['From above', null],
    ['From above', 'A blue cup'],
  ]);
  const long = await developer.submit(here, {
    ...fieldsOf(saved.html, here),
    [`alt-${cup}`]: 'x'.repeat(600),
  });
  expect([long.status, (await alts(cup))[1]]).toEqual([422, 'A blue cup']);
});

it('keeps the text that somebody else gives a picture in another product meanwhile', async () => {
  const shop = await world();
  const picture = await uploaded(shop, png(40, 40));
  const images = [{ url: picture.url, alt: 'Old' }];
  const product = async (name: string) =>
    (await shop.post('/products', { name, type: 'simple', price: 5, images })).body.id as number;
  const [mug, cup] = [await product('Mug'), await product('Cup')];
  const developer = await asDeveloper(shop.slug);
  const here = `${root}/${picture.id}`;
  const shown = fieldsOf((await developer.get(here)).html, here);
  await developer.submit(here, { ...shown, [`alt-${mug}`]: 'A mug' });
  const second = await developer.submit(here, { ...shown, [`alt-${cup}`]: 'A cup' });
  expect(second.html).toContain('Someone else changed other fields meanwhile');
  expect(fieldsOf(second.html, here)).toMatchObject({ [`alt-${mug}`]: 'A mug', [`alt-${cup}`]: 'A cup' });
  const clash = await developer.submit(here, { ...shown, [`alt-${mug}`]: 'My mug' });
  expect([clash.status, clash.html.includes('In Mug</td>')]).toEqual([409, true]);
});
