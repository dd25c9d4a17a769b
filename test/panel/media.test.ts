import { expect, it } from 'vitest';
import { png, uploaded } from '../media/images.ts';
import { asDeveloper, fieldsOf } from '../support/fixtures/browser.ts';
import { world } from '../support/world.ts';

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
  expect(list).toContain(`/developer/products/${product.body.id}"`);
  const held = await developer.get(`${root}/${used.id}/delete`);
  expect(held.html).toContain(`can’t be deleted: product ${product.body.id}`);
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
