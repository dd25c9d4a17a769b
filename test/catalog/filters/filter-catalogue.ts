/** Random catalogues, made through the API, for the comparison of filters with a model. */
import { expect } from 'vitest';
import { rankBestSellers } from '../../../src/catalog/indexing/best-sellers.ts';
import { countSale } from '../../../src/inventory/index.ts';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { batch } from '../../../src/kernel/data/database.ts';
import { instant } from '../../support/fixtures/catalog/sales.ts';
import { choreContext, contextOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';
import type { ModelItem, ModelProduct, ModelSale } from './filter-model.ts';

const VENDORS = ['Çay', 'cay', 'Acme, Inc', 'ØRSTED', null];
export const TAGS = ['Red', 'rèd', 'new', 'Straße', 'STRASSE'];
export const COLORS = ['Black', 'black', 'Gold', 'Grün'];
export const SIZES = ['S', 'M'];
export const MATERIALS = ['Wool', 'wool', 'Silk', 'Gold'];
const NAMES = ['Äpfel', 'apfel', 'Zebra', 'Mug', 'mug', 'Öl'];
const CURRENCIES = ['EUR', 'USD'];
/** The stock of what is not sold out. */
const STOCK = 3;
export const TYPES = ['simple', 'configurable', 'virtual', 'downloadable', 'grouped', 'bundled', 'booking'];

/** Random choices from a seed. */
export class Generator {
  constructor(private readonly next: () => number) {}
  chance = (probability: number): boolean => this.next() < probability;
  below = (most: number): number => Math.floor(this.next() * most);
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
  some<T>(list: readonly T[], most: number): T[] {
    return [...new Set(Array.from({ length: this.below(most + 1) }, () => this.pick(list)))];
  }
}

/** A catalogue that was made at an instant (ms). */
export interface Catalogue {
  readonly madeAt: number;
  readonly products: readonly Omit<ModelProduct, 'items'>[];
  readonly categoryNames: ReadonlyMap<number, string>;
}

type Amounts = Record<string, number>;

/** A product of a group or bundle, and how many of it are needed. */
interface Member {
  readonly member: Catalogue['products'][number];
  readonly quantity: number;
}

/** Returns amounts as requests take them. */
const wire = ({ EUR = 0, USD }: Amounts) => ({
  price: EUR / 100,
  ...(USD === undefined ? {} : { prices: { USD: USD / 100 } }),
});

/** Returns a sale that has begun or will begin in an hour, as the model and as requests have it; mostly none. */
function saleOf(g: Generator, ordinary: Amounts, at: number): { model: ModelSale | null; body: object } {
  if (g.chance(0.65)) return { model: null, body: {} };
  const named = Object.keys(ordinary).filter(() => g.chance(0.7));
  const prices = Object.fromEntries(
    (named.length > 0 ? named : ['EUR']).map((code) => [code, (ordinary[code] ?? 0) - 50]),
  );
  const { EUR, ...others } = prices;
  const [from, to] = g.chance(0.5) ? [at - HOUR, at + 2 * HOUR] : [at + HOUR, at + 3 * HOUR];
  const body = {
    ...(EUR === undefined ? {} : { price: EUR / 100 }),
    ...(others.USD === undefined ? {} : { prices: { USD: others.USD / 100 } }),
    starts_at: instant(from),
    ends_at: instant(to),
  };
  return { model: { prices, from, to }, body: { sale: body } };
}

/** Returns the members of a group or bundle, and the currencies in which there are enough of them; null for others. */
function setOf(g: Generator, type: string, products: Catalogue['products']) {
  const members = products.filter((one) => one.type === 'simple' || one.type === 'virtual');
  const enoughIn = (currency: string, { member, quantity }: Member) => {
    const [item] = member.status === 'active' ? member.all : [];
    const isHeld = item?.inStock === true && (member.policy !== 'deny' || quantity <= STOCK);
    return isHeld && item?.ordinary[currency] !== undefined;
  };
  const drawn = (quantities: readonly number[]): Member[] =>
    [g.pick(members), ...g.some(members, 1)]
      .filter((one, at, all) => all.indexOf(one) === at)
      .map((member) => ({ member, quantity: g.pick(quantities) }));
  if (type === 'grouped') {
    const all = drawn([1]);
    return {
      inStock: CURRENCIES.filter((currency) => all.some((one) => enoughIn(currency, one))),
      body: { grouped: all.map(({ member }) => ({ product_id: member.id })) },
    };
  }
  if (type !== 'bundled') return null;
  const groups = [true, g.chance(0.5)].map((required) => ({ required, items: drawn([1, 3, 4]) }));
  return {
    inStock: CURRENCIES.filter((currency) =>
      groups.every(({ required, items }) => !required || items.some((one) => enoughIn(currency, one))),
    ),
    body: {
      bundle_groups: groups.map(({ required, items }) => ({
        title: 'G',
        required,
        items: items.map(({ member, quantity }) => ({ product_id: member.id, quantity })),
      })),
    },
  };
}

/** Creates a catalogue of 14 products of all types through the API. */
export async function catalogue(shop: World, g: Generator): Promise<Catalogue> {
  const parents = new Map<number, number[]>();
  const categoryNames = new Map<number, string>();
  for (const [n, name] of ['Top', 'Below', 'Other'].entries()) {
    const parent = n === 1 ? [...parents.keys()][0] : undefined;
    const { body } = await shop.post('/categories', { name, ...(parent ? { parent_id: parent } : {}) });
    parents.set(body.id, [body.id, ...(parent ? [parent] : [])]);
    categoryNames.set(body.id, name);
  }
  const madeAt = now();
  const products: Omit<ModelProduct, 'items'>[] = [];
  for (let n = 0; n < 14; n++) {
    const type =
      n < TYPES.length ? (TYPES[n] ?? '') : g.pick(['simple', 'configurable', 'configurable', 'virtual']);
    const price = () => 100 * (1 + g.below(8));
    const amounts = () => ({ EUR: price(), ...(g.chance(0.6) ? { USD: price() } : {}) });
    const prices: Amounts = amounts();
    const sale = saleOf(g, prices, madeAt);
    const stock = g.pick([0, 0, STOCK]);
    const policy = g.pick(['deny', 'deny', 'deny', 'continue', 'untracked']);
    const chosen = g.some([...parents.keys()], 2);
    const regular = type !== 'configurable' && g.chance(0.4) ? (prices.EUR ?? 0) + 100 : null;
    const attributes = {
      ...(g.chance(0.5) ? { Material: g.some(MATERIALS, 2) } : {}),
      ...(g.chance(0.2) ? { color: g.pick(COLORS) } : {}),
    };
    if (attributes.Material?.length === 0) delete attributes.Material;
    const base = {
      name: `${g.pick(NAMES)}`,
      type,
      sku: `p${n}`,
      slug: `p${n}`,
      vendor: g.pick(VENDORS),
      tags: g.some(TAGS, 3),
      status: g.chance(0.15) ? ('inactive' as const) : ('active' as const),
      attributes,
      category_ids: chosen,
    };
    const combinations = g.some(
      COLORS.filter((color) => color !== 'black').flatMap((Color) => SIZES.map((size) => ({ Color, size }))),
      4,
    );
    const variants = (combinations.length > 0 ? combinations : [{ Color: 'Black', size: 'M' }]).map(
      (own, at) => {
        const given = amounts();
        const held = g.pick([0, 2]);
        const reduced = saleOf(g, given, madeAt);
        const ownRegular = g.chance(0.2) ? given.EUR + 100 : null;
        const item: ModelItem = {
          ordinary: given,
          sale: reduced.model,
          attributes: own,
          inStock: held > 0 || policy !== 'deny',
          isBelowRegular: ownRegular !== null,
        };
        return {
          item,
          body: {
            sku: `p${n}-${at}`,
            ...wire(given),
            attributes: own,
            stock: held,
            ...(ownRegular === null ? {} : { regular_price: ownRegular / 100 }),
            ...reduced.body,
          },
        };
      },
    );
    const set = setOf(g, type, products);
    const isOneItem = !['configurable', 'grouped', 'bundled'].includes(type);
    const body = {
      ...base,
      ...wire(prices),
      ...(type === 'configurable' ? { variants: variants.map((one) => one.body) } : {}),
      ...(['simple', 'virtual', 'configurable'].includes(type) ? { inventory_policy: policy } : {}),
      ...(['simple', 'virtual'].includes(type) ? { stock } : {}),
      ...(regular === null ? {} : { regular_price: regular / 100 }),
      ...(isOneItem ? sale.body : {}),
      ...(type === 'downloadable' ? { links: [{ title: 'L', url: 'https://files.example.com/a' }] } : {}),
      ...set?.body,
      ...(type === 'booking'
        ? {
            booking: {
              timezone: 'Europe/Berlin',
              slots: [{ from: '2100-01-01T10:00:00Z', to: '2100-01-01T11:00:00Z', capacity: 1 }],
            },
          }
        : {}),
    };
    const made = await shop.post('/products', body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const ownStock = type === 'downloadable' || type === 'booking' || stock > 0 || policy !== 'deny';
    products.push({
      id: made.body.id,
      name: base.name,
      type,
      status: base.status,
      policy,
      vendor: base.vendor,
      tags: base.tags,
      attributes,
      sold: g.pick([0, 0, 1, 2]),
      categories: [...new Set(chosen.flatMap((id) => parents.get(id) ?? []))],
      all:
        type === 'configurable'
          ? variants.map((one) => one.item)
          : [
              {
                ordinary: prices,
                sale: isOneItem ? sale.model : null,
                attributes: {},
                inStock: set?.inStock ?? ownStock,
                isBelowRegular: regular !== null,
              },
            ],
    });
  }
  await sell(shop, products);
  return { madeAt, products, categoryNames };
}

/** Counts the model's sales, and ranks the products by them. */
async function sell(shop: World, products: readonly { id: number; sold: number }[]): Promise<void> {
  const ctx = contextOf(shop);
  const items = products.map(({ id, sold }) => ({ productId: id, units: sold }));
  const counted = countSale(ctx, { items, paidAt: now() });
  if (counted.length === 0) return;
  await batch(ctx.db, counted);
  await rankBestSellers(await choreContext(shop), { tenantId: shop.tenantId });
}
