/** The sections of a product's editor. */
import { describe, expect, it } from 'vitest';
import { png } from '../../../media/images.ts';
import { type Browser, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { createProduct, NEWEST } from '../../../support/fixtures/catalog/products.ts';
import type { World } from '../../../support/world.ts';
import { editor } from './editor.ts';

const read = async (shop: World, id: number) => (await shop.get(`/products/${id}?status=all`, NEWEST)).body;

const url = (name: string) => `https://cdn.example.com/${name}.png`;

const tee = (count = 2) => ({
  name: 'Tee',
  type: 'configurable',
  sku: 'TEE',
  images: [url('a'), url('b')],
  variants: Array.from({ length: count }, (_, n) => ({
    sku: `TEE-${n}`,
    price: 20,
    prices: { USD: 22 },
    stock: 3,
    attributes: { Size: `S${n}` },
  })),
});

describe('pictures', () => {
  it('are uploaded, described, moved and removed', async () => {
    const { shop, developer, here, id } = await editor({ images: [url('a'), url('b')] });
    const { html } = await developer.get(`${here}/pictures`);
    const form = new FormData();
    for (const [name, value] of Object.entries(fieldsOf(html, `${here}/pictures`)))
      form.append(name, String(value));
    form.set('images.0.alt', 'A cup');
    for (const name of ['new.png', 'other.png'])
      form.append('files', new File([png(3, 2)], name, { type: 'image/png' }));
    const sent = await developer.send('POST', `${here}/pictures`, form, {
      origin: 'https://api.example.com',
    });
    expect(sent.status).toBe(303);
    const { media } = await read(shop, id);
    expect(media).toMatchObject([
      { url: url('a'), alt: 'A cup' },
      { url: url('b') },
      { width: 3 },
      { width: 3 },
    ]);
    const page = await developer.get(`${here}/pictures`);
    const fields = fieldsOf(page.html, `${here}/pictures`);
    const moved = await developer.submit(`${here}/pictures`, { ...fields, _rows: 'up images.2' });
    await developer.submit(`${here}/pictures`, {
      ...fieldsOf(moved.html, `${here}/pictures`),
      'images.3.url': '',
      'images.3.alt': '',
    });
    expect((await read(shop, id)).images).toEqual([url('a'), media[2].url, url('b')]);
  });

  it('keeps the form and says which file is no picture', async () => {
    const { shop, developer, here, id } = await editor({ images: [url('a')] });
    const { html } = await developer.get(`${here}/pictures`);
    const form = new FormData();
    for (const [name, value] of Object.entries(fieldsOf(html, `${here}/pictures`)))
      form.append(name, String(value));
    form.append('files', new File(['no picture'], 'notes.png', { type: 'image/png' }));
    form.append('files', new File([png(3, 2)], 'good.png', { type: 'image/png' }));
    const sent = await developer.send('POST', `${here}/pictures`, form, {
      origin: 'https://api.example.com',
    });
    expect([sent.status, sent.html.includes('notes.png: ')]).toEqual([422, true]);
    expect((await read(shop, id)).images).toHaveLength(2);
  });
});

describe('variants', () => {
  it('are priced, named, stocked and, after a question, removed in the grid', async () => {
    const { shop, developer, here, save, id, product } = await editor(tee(3));
    const [a, b, c] = product.variants;
    const picture = /<option value="(\w{8})">Picture 2</.exec((await save('/variants', {})).html)?.[1] ?? '';
    await save('/variants', {
      [`price-${a.id}`]: '25,5',
      [`regular_price-${b.id}`]: '28',
      [`sku-${b.id}`]: 'TEE-B',
      [`stock-${b.id}`]: '9',
      [`image-${b.id}`]: picture,
      [`drop-${c.id}`]: '1',
    });
    expect(developer.last.html).toMatch(
      /Remove 1 variant of Tee\?.* stock of 3 are removed from the shop: S2\./s,
    );
    expect((await read(shop, id)).variants).toEqual(product.variants);
    await developer.submit(`${here}/variants`, fieldsOf(developer.last.html, `${here}/variants`));
    expect(developer.last.html).toContain('Saved.');
    expect((await read(shop, id)).variants).toMatchObject([
      { id: a.id, price: 25.5, sku: 'TEE-0', stock: 3, prices: { USD: 22 }, regular_price: null },
      { id: b.id, price: 20, sku: 'TEE-B', stock: 9, image: url('b'), regular_price: 28 },
    ]);
    const low = await save('/variants', { [`regular_price-${a.id}`]: '25' });
    expect([low.status, low.html.includes('must not be below the price')]).toEqual([422, true]);
    await save(`/variants/${b.id}`, { price: '30', regular_price: '' });
    expect((await read(shop, id)).variants[1]).toMatchObject({ price: 30, regular_price: null });
    for (const regular of ['28', '']) await save('/variants', { [`regular_price-${a.id}`]: regular });
    expect((await read(shop, id)).variants[0]).toMatchObject({ price: 25.5, regular_price: null });
  });

  it('stay when options change; values are renamed in place and new combinations are made', async () => {
    const { shop, developer, here, id, product } = await editor(tee());
    const [a, b] = product.variants;
    await developer.get(`${here}/variants`);
    const options = (size: string, colours: string) => ({
      'options.0.was': 'Size',
      'options.0.name': 'Fit',
      'options.0.values': size,
      'options.1.was': '',
      'options.1.name': 'Colour',
      'options.1.values': colours,
    });
    const changed = await developer.submit(`${here}/options`, options('S0\nWide', 'Red\nBlue'));
    expect(changed.html).toContain('Saved.');
    expect((await read(shop, id)).variants).toMatchObject([
      { id: a.id, sku: 'TEE-0', stock: 3, attributes: { Fit: 'S0', Colour: 'Red' } },
      {
        sku: 'TEE-S0-BLUE',
        stock: 0,
        price: 20,
        prices: { USD: 22 },
        attributes: { Fit: 'S0', Colour: 'Blue' },
      },
      { id: b.id, sku: 'TEE-1', stock: 3, attributes: { Fit: 'Wide', Colour: 'Red' } },
      { sku: 'TEE-WIDE-BLUE', attributes: { Fit: 'Wide', Colour: 'Blue' } },
    ]);
  });

  it('are removed with their value only after a question', async () => {
    const { shop, developer, here, id, product } = await editor(tee());
    await developer.get(`${here}/variants`);
    const options = { 'options.0.was': 'Size', 'options.0.name': 'Size', 'options.0.values': 'S0' };
    const asked = await developer.submit(`${here}/options`, options);
    expect(asked.html).toContain('Remove 1 variant of Tee?');
    expect((await read(shop, id)).variants).toHaveLength(2);
    await developer.submit(`${here}/options`, fieldsOf(asked.html, `${here}/options`));
    expect((await read(shop, id)).variants).toMatchObject([{ id: product.variants[0].id }]);
  });

  it('refuse more combinations than a product can have', async () => {
    const { developer, here } = await editor(tee());
    await developer.get(`${here}/variants`);
    const values = Array.from({ length: 30 }, (_, n) => `v${n}`).join('\n');
    const fields = (n: number) => ({
      [`options.${n}.was`]: '',
      [`options.${n}.name`]: `O${n}`,
      [`options.${n}.values`]: values,
    });
    const refused = await developer.submit(`${here}/options`, { ...fields(0), ...fields(1) });
    expect([refused.status, refused.html.includes('900 combinations')]).toEqual([422, true]);
  });

  it('have a page with every field of a variant', async () => {
    const { shop, save, id, product } = await editor(tee());
    const [a, b] = product.variants;
    await save(`/variants/${a.id}`, {
      option0: 'XS',
      barcode: '4006381333931',
      weight: '180',
      'prices.USD': '23',
      stock: '4',
      'sale.price': '15',
      'sale.ends_at': '2100-01-01T00:00',
    });
    expect((await read(shop, id)).variants[0]).toMatchObject({
      attributes: { Size: 'XS' },
      barcode: '4006381333931',
      weight: 180,
      prices: { USD: 23 },
      stock: 4,
      price: 15,
      regular_price: 20,
      on_sale: true,
    });
    // The price before the sale is sent along with what changes of another variant.
    await save('/variants', { [`stock-${b.id}`]: '5' });
    await save(`/variants/${b.id}`, { barcode: '73513537' });
    expect((await read(shop, id)).variants).toMatchObject([
      { price: 15, regular_price: 20, on_sale: true },
      { stock: 5, barcode: '73513537', on_sale: false },
    ]);
  });
});

it('edits categories, tags, attributes, metadata and texts for search engines', async () => {
  const { shop, save, id } = await editor({
    metadata: { erp: '1', old: 'x' },
    attributes: { Material: ['Wool', 'Silk'] },
  });
  const category = (await shop.post('/categories', { name: 'Cups' })).body.id;
  await save('/organisation', {
    category_ids: String(category),
    tags: 'new\r\n\r\nblue',
    'attributes.2.name': 'Origin',
    'attributes.2.value': 'Japan',
    'metadata.1.name': '',
    'metadata.1.value': '',
  });
  await save('/search-engines', { slug: 'a-cup', 'seo.title': 'Cup', 'seo.description': 'One\r\ntwo' });
  expect(await read(shop, id)).toMatchObject({
    slug: 'a-cup',
    tags: ['new', 'blue'],
    categories: [{ id: category }],
    metadata: { erp: '1' },
    attributes: { Material: ['Wool', 'Silk'], Origin: 'Japan' },
    seo: { title: 'Cup', description: 'One\ntwo' },
  });
});

it('says beside attributes and metadata what is wrong with them', async () => {
  const { save, developer } = await editor({ name: 'Cup' });
  const blank = { 'attributes.0.name': 'Colour', 'attributes.0.value': '', 'metadata.0.value': 'A-7' };
  expect((await save('/organisation', blank)).status).toBe(422);
  for (const field of ['attributes.0.value', 'metadata.0.name'])
    expect(developer.last.html).toContain(`id="f-${field}-error">is required`);
  const long = { 'attributes.0.name': 'Colour', 'attributes.0.value': 'x'.repeat(256) };
  expect((await save('/organisation', long)).status).toBe(422);
  expect(developer.last.html).toContain('id="f-attributes-error">Colour: must have at most 255 characters');
});

it('edits files without their addresses, a group, a bundle and slots', async () => {
  const links = [{ title: 'Song', url: 'https://files.example.com/a.mp3', price: 2, prices: { USD: 3 } }];
  const album = await editor({ type: 'downloadable', links });
  await album.save('/files', { 'links.0.title': 'The song', 'links.0.price': '4' });
  expect((await read(album.shop, album.id)).links).toEqual([
    { id: 1, title: 'The song', price: 4, prices: { USD: 3 } },
  ]);
  const [a, b] = await Promise.all(
    ['A', 'B'].map(async (name) => (await createProduct(album.shop, { name })).body.id),
  );
  const open = async (body: object) => (await createProduct(album.shop, body)).body.id as number;
  const save = (developer: Browser, path: string, changes: Record<string, string>) =>
    fill(developer, path, path, changes);
  const group = await open({ type: 'grouped', grouped: [{ product_id: a }] });
  await save(album.developer, `/developer/products/${group}/members`, {
    'grouped.0.default_quantity': '3',
    add: String(b),
  });
  expect((await read(album.shop, group)).grouped).toEqual([
    { product_id: a, default_quantity: 3 },
    { product_id: b, default_quantity: 1 },
  ]);
  const bundle = await open({
    type: 'bundled',
    bundle_groups: [{ title: 'Cup', items: [{ product_id: a }] }],
  });
  const choices = `/developer/products/${bundle}/choices`;
  await save(album.developer, `${choices}/1`, {
    'items.0.quantity': '2',
    'items.0.default': 'yes',
    add: String(b),
  });
  const added = await save(album.developer, `${choices}/new`, { title: 'Saucer', add: String(b) });
  expect(added.html).toContain('Saucer');
  await save(album.developer, choices, { 'bundle_groups.0.title': 'Big cup' });
  expect((await read(album.shop, bundle)).bundle_groups).toMatchObject([
    {
      title: 'Big cup',
      items: [
        { product_id: a, quantity: 2, default: true },
        { product_id: b, quantity: 1 },
      ],
    },
    { title: 'Saucer', items: [{ product_id: b }] },
  ]);
  const slots = [{ from: '2100-07-01T08:00:00Z', to: '2100-07-01T09:00:00Z', capacity: 4 }];
  const course = await open({ type: 'booking', booking: { timezone: 'Europe/Berlin', slots } });
  const page = `/developer/products/${course}/slots`;
  await save(album.developer, page, { 'slots.0.to': '2100-07-01T12:00', 'slots.0.capacity': '5' });
  expect((await read(album.shop, course)).booking.slots).toMatchObject([
    { from: '2100-07-01T08:00:00.000Z', to: '2100-07-01T10:00:00.000Z', capacity: 5 },
  ]);
});

it('duplicates a product, and deletes one after a question', async () => {
  const { shop, developer, here, id } = await editor({ name: 'Cup' });
  const { html } = await developer.get(here);
  const copy = await developer.submit(`${here}/duplicate`, fieldsOf(html, `${here}/duplicate`));
  expect(copy.html).toContain('Copy of Cup');
  const asked = await developer.get(`${here}/delete`);
  expect(asked.html).toContain('Delete Cup?');
  await developer.submit(`${here}/delete`, fieldsOf(asked.html, `${here}/delete`));
  expect((await shop.get(`/products/${id}`, NEWEST)).status).toBe(404);
});

it('says before a product is deleted what goes with it, and what stays', async () => {
  const { shop, developer, id } = await editor({ name: 'Cup', stock: 5 });
  const asks = async (product: number) => {
    const { html } = await developer.get(`/developer/products/${product}/delete`);
    return /<p>(The product[\s\S]*?) Orders keep/.exec(html)?.[1];
  };
  const made = async (body: object): Promise<number> => (await createProduct(shop, body)).body.id;
  const gone = 'The product is removed from the shop, from groups and from bundles';
  expect(await asks(id)).toBe(`${gone}, with its stock of 5.`);
  const variants = [{ sku: 'S', price: 20, stock: 3, attributes: { Size: 'S' } }];
  const tee = await made({ name: 'Tee', type: 'configurable', variants });
  expect(await asks(tee)).toBe(`${gone}, with its 1 variant and its stock of 3.`);
  const group = await made({ name: 'Table', type: 'grouped', grouped: [{ product_id: id }] });
  expect(await asks(group)).toBe(`${gone}. The products in it stay, with their stock.`);
  const guide = await made({ name: 'Guide', type: 'virtual', inventory_policy: 'untracked' });
  expect(await asks(guide)).toBe(`${gone}.`);
});

it('leads to an active product in the shop, where the settings say that its page is', async () => {
  const { shop, developer, here, save, id } = await editor({ name: 'Cup', slug: 'cup', price: 10 });
  const link = async () => /<a href="([^"]*)">View in the shop</.exec((await developer.get(here)).html)?.[1];
  expect(await link()).toBeUndefined();
  const ucp = { enabled: false, product_url: 'https://shop.example.com/p/{slug}?v={variant_id}' };
  await shop.patch('/settings', { ucp });
  expect(await link()).toBe(`https://shop.example.com/p/cup?v=${id}`);
  await shop.patch('/settings', {
    ucp: { enabled: false },
    feeds: { product_url: 'https://feed.example.com/{id}' },
  });
  expect(await link()).toBe(`https://feed.example.com/${id}`);
  await save('', { status: 'inactive' });
  expect(await link()).toBeUndefined();
});

it('names the slug as the form of a category does', async () => {
  const { developer, here } = await editor({});
  for (const path of [`${here}/search-engines`, '/developer/categories/new']) {
    expect((await developer.get(path)).html, path).toContain('<label for="f-slug">Address (slug)</label>');
  }
});

describe('an SKU that another product has', () => {
  it.each(['', '/variants', '/variants/:variant'])(
    'is refused at its field in the form %s',
    async (section) => {
      const { shop, here, save, product } = await editor(section === '' ? { sku: 'CUP' } : tee());
      await createProduct(shop, { sku: 'MUG' });
      const [variant] = product.variants ?? [];
      const field = section === '/variants' ? `sku-${variant.id}` : 'sku';
      const got = await save(section.replace(':variant', variant?.id), { [field]: 'MUG' });
      expect([got.status, got.html], here).toEqual([
        409,
        expect.stringContaining(`id="f-${field}-error">Another product or variant has this SKU.`),
      ]);
    },
  );

  it('is refused at the options that a new variant would have it from', async () => {
    const { shop, save } = await editor(tee(1));
    await createProduct(shop, { sku: 'TEE-S9' });
    const got = await save('/options', { 'options.0.values': 'S0\nS9' });
    expect([got.status, got.html]).toEqual([
      409,
      expect.stringContaining('id="f-options-error">Another product'),
    ]);
  });
});
