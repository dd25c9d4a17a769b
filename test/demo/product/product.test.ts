import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { Browser, fieldsOf } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

const variant = (colour: string, size: string, price: number, stock: number) => ({
  sku: `TEE-${colour}-${size}`,
  price,
  stock,
  attributes: { colour, size },
});

/** A T-shirt in two colours and sizes: red in S is sold out, blue in S doesn't exist. */
const TEE = {
  name: 'Tee',
  type: 'configurable',
  price: 20,
  variants: [variant('Red', 'S', 20, 0), variant('Red', 'M', 20, 9), variant('Blue', 'M', 24, 2)],
};

/** Returns the label of a choice, with its price or state. */
const labelOf = (html: string, name: string, value: string): string =>
  html
    .split('<label')
    .find((part) => part.includes(`name="${name}" value="${value}"`))
    ?.split('</label>')[0] ?? '';

it('keeps the chosen variant after "only 2 of this", so that a resubmit adds it', async () => {
  const shop = await demoShop();
  const here = `/demo/products/${(await stockedProduct(shop, TEE)).body.id}`;
  const shopper = new Browser();
  await shopper.get(here);
  const choice = { 'option-0': 'Blue', 'option-1': 'M', quantity: '3' };
  const refused = await shopper.submit(here, choice);
  expect(refused.html).toContain('Only 2 in stock');
  const again = fieldsOf(refused.html, here);
  expect(again).toMatchObject(choice);
  await shopper.submit(here, { ...again, quantity: '2' });
  expect(shopper.last.html).toContain('€48.00');
});

it('shows for each value of an option whether it is there, and the price of the choice', async () => {
  const shop = await demoShop();
  const here = `/demo/products/${(await stockedProduct(shop, TEE)).body.id}`;
  const shopper = new Browser();
  const first = await shopper.get(here);
  // The first variant that can be bought.
  expect(fieldsOf(first.html, here)).toMatchObject({ 'option-0': 'Red', 'option-1': 'M' });
  expect(labelOf(first.html, 'option-1', 'S')).toContain('sold out');
  expect(labelOf(first.html, 'option-0', 'Blue')).not.toMatch(/sold out|not available/);
  const blue = await shopper.get(`${here}?option-0=Blue&option-1=M&quantity=2`);
  expect(blue.html).toMatch(/€24\.00[\s\S]*Only 2 left/);
  expect(fieldsOf(blue.html, here)).toMatchObject({ 'option-0': 'Blue', quantity: '2' });
  expect(labelOf(blue.html, 'option-1', 'S')).toContain('not available');
  const soldOut = await shopper.get(`${here}?option-0=Red&option-1=S&quantity=1`);
  expect(soldOut.html).toMatch(/<button type="submit" class="button" disabled="">Sold out/);
  const none = await shopper.get(`${here}?option-0=Blue&option-1=S&quantity=1`);
  expect(none.html).toMatch(/disabled="">Not available in this combination/);
  const sent = await shopper.submit(here, { 'option-0': 'Blue', 'option-1': 'S', quantity: '1' });
  expect([sent.status, sent.html.includes('This combination is not available.')]).toEqual([422, true]);
});

it('shows the variant that a product feed links to, until another one is chosen', async () => {
  const shop = await demoShop();
  const { id, variants } = (await stockedProduct(shop, TEE)).body;
  const [, , blue] = variants;
  const here = `/demo/products/${id}?variant=${blue.id}`;
  const shopper = new Browser();
  const linked = await shopper.get(here);
  expect(linked.html).toMatch(/€24\.00[\s\S]*Only 2 left/);
  expect(fieldsOf(linked.html, `/demo/products/${id}`)).toMatchObject({
    'option-0': 'Blue',
    'option-1': 'M',
  });
  const red = await shopper.get(`${here}&option-0=Red&option-1=M`);
  expect(red.html).toContain('€20.00');
  // A product without variants has its own id there.
  expect((await shopper.get(`/demo/products/${id}?variant=${id}`)).html).toContain('€20.00');
});

it('sells a variant that lacks an option of another one', async () => {
  const shop = await demoShop();
  const one = (sku: string, price: number, attributes: object) => ({ sku, price, stock: 5, attributes });
  const variants = [
    one('GIFT-PLAIN', 20, { colour: 'Red' }),
    one('GIFT-NAMED', 25, { colour: 'Red', constructor: 'Engraved' }),
  ];
  const gift = { name: 'Gift', type: 'configurable', price: 20, variants };
  const here = `/demo/products/${(await stockedProduct(shop, gift)).body.id}`;
  const shopper = new Browser();
  const first = await shopper.get(here);
  expect(labelOf(first.html, 'option-1', '')).toMatch(/None(?![\s\S]*not available)/);
  const plain = fieldsOf(first.html, here);
  expect(plain).toMatchObject({ 'option-0': 'Red', 'option-1': '' });
  await shopper.submit(here, plain);
  expect(shopper.last.html).toContain('€20.00');
  await shopper.submit(here, { ...plain, 'option-1': 'Engraved' });
  expect(shopper.last.html).toContain('€45.00');
});

it('offers no button for a product that is sold out', async () => {
  const shop = await demoShop();
  const { id } = (await stockedProduct(shop, { name: 'Jug', stock: 0 })).body;
  const { html } = await new Browser().get(`/demo/products/${id}`);
  expect(html).toContain('Sold out at the moment.');
  expect(html).not.toContain('Add to cart');
});

it('shows the prices of extras, of a bundle and of what is reduced', async () => {
  const shop = await demoShop();
  const links = [
    { title: 'PDF', price: 0, url: 'https://files.example.com/book.pdf' },
    { title: 'MP3', price: 5, url: 'https://files.example.com/book.mp3' },
  ];
  const book = (await stockedProduct(shop, { name: 'Book', type: 'downloadable', price: 12, links })).body;
  const shopper = new Browser();
  const both = await shopper.get(`/demo/products/${book.id}`);
  expect(both.html).toMatch(/€17\.00[\s\S]*\+ €5\.00/);
  const one = await shopper.get(`/demo/products/${book.id}?link=${book.links[0].id}&quantity=1`);
  expect(one.html).toContain('<span>€12.00</span>');

  const cup = (await stockedProduct(shop, { name: 'Cup', price: 7 })).body;
  const pot = (await stockedProduct(shop, { name: 'Pot', price: 30, stock: 0 })).body;
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    bundle_groups: [
      {
        title: 'Vessel',
        required: true,
        multiple: true,
        items: [cup, pot].map(({ id }) => ({ product_id: id, quantity: 2, default: id === cup.id })),
      },
    ],
  });
  const { html } = await shopper.get(`/demo/products/${kit.body.id}`);
  expect(html).toMatch(/2 × Cup[\s\S]*\+ €14\.00/);
  expect(html).toMatch(/disabled[^>]*>(?:(?!<\/label>)[\s\S])*2 × Pot(?:(?!<\/label>)[\s\S])*sold out/);

  const vase = (await stockedProduct(shop, { name: 'Vase', price: 18, regular_price: 23 })).body;
  expect((await shopper.get(`/demo/products/${vase.id}`)).html).toMatch(
    /€18\.00[\s\S]*Before [\s\S]*€23\.00/,
  );
});

it('neither offers nor counts what is sold out of a bundle or a group', async () => {
  const shop = await demoShop();
  const cup = (await stockedProduct(shop, { name: 'Cup', price: 7 })).body;
  const pot = (await stockedProduct(shop, { name: 'Pot', price: 30, stock: 0 })).body;
  const parts = [pot, cup].map(({ id }) => ({ product_id: id, quantity: 1 }));
  const items = parts.map((part) => ({ ...part, default: part.product_id === pot.id }));
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    bundle_groups: [{ title: 'Vessel', required: true, multiple: false, items }],
  });
  const set = await stockedProduct(shop, {
    name: 'Set',
    type: 'grouped',
    grouped: parts.map(({ product_id }) => ({ product_id, default_quantity: 2 })),
  });
  const shopper = new Browser();
  for (const [{ body }, price] of [
    [kit, '€7.00'],
    [set, '€14.00'],
  ] as const) {
    const { html } = await shopper.get(`/demo/products/${body.id}`);
    expect(html).toMatch(/sold out/);
    expect(html.split('data-part="price"')[1]?.split('</p>')[0]).toContain(`<span>${price}</span>`);
  }
});

it('leaves a text in its own direction', async () => {
  const shop = await demoShop();
  const description = '<p>שמן זית כתית</p>';
  const { id } = (await stockedProduct(shop, { name: 'שמן זית', description })).body;
  const { html } = await new Browser().get(`/demo/products/${id}`);
  expect(html).toContain('<h1 dir="auto">שמן זית</h1>');
  expect(html).toMatch(/<p class="lead" dir="auto">שמן זית כתית<\/p>/);
});

it('has no page for an address that is of no product', async () => {
  await demoShop();
  for (const id of ['mug', '0', '-1', '1.5', '9'.repeat(20), '999999']) {
    const { status, html } = await new Browser().get(`/demo/products/${id}`);
    expect([status, html.includes('Page not found')], id).toEqual([404, true]);
  }
});

it('says what is missing of a group, a download and a booking of which nothing is chosen', async () => {
  const shop = await demoShop();
  const cup = await stockedProduct(shop, { name: 'Cup', stock: 9 });
  const slots = [{ from: '2099-05-01T09:00:00Z', to: '2099-05-01T10:30:00Z', capacity: 4 }];
  const links = [{ id: 1, title: 'Maps', price: 0, url: 'https://files.example.com/maps.pdf' }];
  const cases = [
    [{ type: 'grouped', grouped: [{ product_id: cup.body.id }] }, 'Choose how many of each product.'],
    [{ type: 'downloadable', links }, 'Choose at least one file.'],
    [{ type: 'booking', booking: { timezone: 'Europe/Berlin', slots } }, 'Choose a time.'],
  ] as const;
  for (const [body, says] of cases) {
    const made = await stockedProduct(shop, { name: 'It', ...body });
    const here = `/demo/products/${made.body.id}`;
    const shopper = new Browser();
    await shopper.get(here);
    const none = { quantity: '1', [`qty-${cup.body.id}`]: '0' };
    expect((await shopper.submit(here, none)).html).toContain(`<p>${says}</p>`);
  }
});

it('leads from the later times of a booking back to the earlier ones', async () => {
  const shop = await demoShop();
  const slots = Array.from({ length: 14 }, (_, n) => ({
    from: `2099-05-${10 + n}T09:00:00Z`,
    to: `2099-05-${10 + n}T10:00:00Z`,
    capacity: 4,
  }));
  const booking = { timezone: 'Europe/Berlin', slots };
  const made = await stockedProduct(shop, { name: 'Tour', type: 'booking', booking });
  const shopper = new Browser();
  const first = await shopper.get(`/demo/products/${made.body.id}`);
  expect(first.html).toContain('<a href="?later=1">Later times</a>');
  expect(first.html).not.toContain('Earlier times');
  const second = await shopper.get(`/demo/products/${made.body.id}?later=1`);
  expect(second.html).toContain('<a href="?later=0">Earlier times</a>');
  expect(second.html).not.toContain('Later times');
});

it('has the texts for search engines in its head, and the name as its heading', async () => {
  const shop = await demoShop();
  const product = { name: 'Mug', description: 'Of clay.', type: 'simple', price: 9 };
  const titleOf = async (seo: object) => {
    const { body } = await stockedProduct(shop, { ...product, seo });
    const { html } = await new Browser().get(`/demo/products/${body.id}`);
    expect(html).toContain('<h1 dir="auto">Mug</h1>');
    return [/<title>(.*?) ·/, /<meta name="description" content="([^"]*)"/].map((tag) => tag.exec(html)?.[1]);
  };
  expect(await titleOf({})).toEqual(['Mug', 'Of clay.']);
  expect(await titleOf({ title: '' })).toEqual(['Mug', 'Of clay.']);
  const seo = { title: 'Clay mugs & cups', description: 'Thrown by hand.' };
  expect(await titleOf(seo)).toEqual(['Clay mugs &amp; cups', 'Thrown by hand.']);
});
