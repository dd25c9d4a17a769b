import type { Generator } from '../../catalog/filters/filter-catalogue.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { promote, promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import type { Answer, World } from '../../support/world.ts';

/** The currencies of a shop with random goods. */
export const CURRENCIES = ['EUR', 'JPY', 'KWD'];

/** What is added for a line. */
export type Good = Record<string, unknown>;

/** Returns a random price in each currency. */
export const priceOf = (g: Generator) => {
  const minor = g.pick([1, 3, 7, 99, 333, 1_005, 19_999]);
  return { price: minor / 100, prices: { JPY: minor, KWD: minor / 1_000 } };
};

/** Creates goods of several types, two promotions, and the codes FIXED and PARTS; returns what is added for each good. */
export async function goodsOf(shop: World, g: Generator): Promise<Good[]> {
  const { id: category } = (await shop.post('/categories', { name: 'Cups' })).body;
  const make = async (body: object) => {
    const common = { stock: 100_000, weight: g.below(900), ...priceOf(g) };
    const more = {
      ...(g.chance(0.4) && { category_ids: [category] }),
      ...(g.chance(0.3) && { tax_class: 'low' }),
    };
    return (await createProduct(shop, { ...common, ...more, ...body })).body;
  };
  const [cup, mug, card] = [await make({}), await make({}), await make({ type: 'virtual' })];
  const variants = ['S', 'M'].map((size) => ({ sku: size, stock: 999, attributes: { size }, ...priceOf(g) }));
  const shirt = await make({ type: 'configurable', variants });
  const links = [1, 2].map((n) => ({ title: `${n}`, url: 'https://files.example.com/a', ...priceOf(g) }));
  const book = await make({ type: 'downloadable', links });
  const items = [cup, mug].map(({ id }) => ({ product_id: id, quantity: 2 }));
  const set = await make({ type: 'bundled', bundle_groups: [{ title: 'Cups', items }] });
  const [group] = set.bundle_groups;
  const choose = (item: Answer['body']) => ({ bundle_options: { [group.id]: [item.id] } });
  await promote(shop, {
    effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 33.3 },
    combinable: true,
  });
  const some = { category_ids: [category], product_ids: [shirt.id] };
  await promote(shop, {
    effect: { kind: 'percent', value: 33.333 },
    conditions: some,
    combinable: g.chance(0.5),
  });
  await promoteByCode(shop, 'FIXED', {
    effect: { kind: 'fixed', value: { EUR: 1.01, JPY: 101, KWD: 0.007 } },
  });
  await promoteByCode(shop, 'PARTS', { effect: { kind: 'percent', value: 12.5 }, combinable: true });
  return [
    ...[cup, mug, card].map(({ id }) => ({ product_id: id })),
    { product_id: cup.id, options: { engraving: 'Ada' } },
    ...shirt.variants.map(({ id }: Answer['body']) => ({ product_id: shirt.id, variant_id: id })),
    { product_id: book.id, options: { links: [book.links[0].id] } },
    { product_id: book.id, options: { links: book.links.map(({ id }: Answer['body']) => id) } },
    ...group.items.map((item: Answer['body']) => ({ product_id: set.id, options: choose(item) })),
  ];
}
