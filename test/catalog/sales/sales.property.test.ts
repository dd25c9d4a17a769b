import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { DAY, HOUR } from '../../../src/kernel/core/clock.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { instant, ringSales, seeingNow, stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { type World, world } from '../../support/world.ts';

const CURRENCIES = ['EUR', 'USD'] as const;
type Currency = (typeof CURRENCIES)[number];
type Amounts = Partial<Record<Currency, number>>;

afterEach(() => vi.restoreAllMocks());

interface Sale {
  readonly prices: Amounts;
  readonly from: number;
  readonly to: number;
}

/** A product or variant as plain data: its prices, its sale, its regular price in EUR, and all that it has cost. */
class Item {
  sale: Sale | null = null;
  regular: number | null = null;
  readonly ended: { currency: Currency; price: number; at: number }[] = [];
  readonly lowest: Amounts = {};
  constructor(public ordinary: Amounts) {}

  isOnSale(currency: Currency, at: number): boolean {
    const { sale } = this;
    const price = sale?.prices[currency];
    return sale !== null && price !== undefined && sale.from <= at && at < sale.to;
  }

  shown(currency: Currency, at: number): number | undefined {
    return this.isOnSale(currency, at) ? this.sale?.prices[currency] : this.ordinary[currency];
  }

  /** Returns what the price shown is reduced from, if it is. */
  reducedFrom(currency: Currency, at: number): number | undefined {
    if (this.isOnSale(currency, at)) return this.ordinary[currency];
    const isReduced = currency === 'EUR' && (this.regular ?? 0) > (this.shown(currency, at) ?? 0);
    return isReduced ? (this.regular ?? 0) : undefined;
  }

  isReduced(currency: Currency, at: number): boolean {
    return this.reducedFrom(currency, at) !== undefined;
  }

  /** Applies a change at an instant, and keeps the story of the prices. */
  change(at: number, apply: () => void, before = at): void {
    const old = CURRENCIES.map(
      (code) => [code, this.shown(code, before), this.isReduced(code, before)] as const,
    );
    apply();
    for (const [code, price, wasReduced] of old) {
      const isReduced = this.isReduced(code, at);
      const begins = isReduced && !wasReduced;
      if (price !== undefined && (begins || price !== this.shown(code, at)))
        this.ended.push({ currency: code, price, at });
      if (!isReduced) delete this.lowest[code];
      else if (begins) this.lowest[code] = this.lowestBefore(code, at);
    }
  }

  /** The lowest price that ended in the 30 days before: a day's price is its lowest, until its last change. */
  lowestBefore(currency: Currency, at: number): number {
    const days = new Map<number, { price: number; until: number }>();
    for (const one of this.ended.filter((ended) => ended.currency === currency)) {
      const day = Math.floor(one.at / DAY);
      const known = days.get(day) ?? { price: one.price, until: one.at };
      days.set(day, { price: Math.min(known.price, one.price), until: Math.max(known.until, one.at) });
    }
    const inWindow = [...days.values()].filter(({ until }) => until > at - 30 * DAY);
    return Math.min(...inWindow.map(({ price }) => price));
  }

  instants(): number[] {
    return this.sale ? [this.sale.from, this.sale.to] : [];
  }
}

/** A shop of two simple products and one with two variants, next to its model. */
class Shop {
  readonly items = new Map<number, Item>();
  private constructor(
    readonly world: World,
    readonly products: { id: number; variants: readonly number[] }[],
    public at: number,
  ) {}

  static async open(): Promise<Shop> {
    const shop = new Shop(
      await world({ currencies: [...CURRENCIES] }),
      [],
      Math.floor(Date.now() / DAY) * DAY,
    );
    stopClockAt(shop.at);
    for (const type of ['simple', 'virtual', 'configurable']) {
      const prices = { USD: 21 };
      const variants = ['S', 'M'].map((size) => ({ sku: size, price: 20, prices, attributes: { size } }));
      const body = { name: type, type, price: 20, prices, ...(type === 'configurable' ? { variants } : {}) };
      const { body: made } = await createProduct(shop.world, body);
      const ids = made.variants.map(({ id }: { id: number }) => id);
      shop.products.push({ id: made.id, variants: ids });
      for (const id of ids.length > 0 ? ids : [made.id]) shop.items.set(id, new Item({ EUR: 20, USD: 21 }));
    }
    return shop;
  }

  item(id: number): Item {
    const item = this.items.get(id);
    if (!item) throw new Error('unreachable');
    return item;
  }

  /** Changes one product or variant by the API, and in the model if it was accepted. */
  async patch(n: number, input: object, apply: (item: Item) => void, isValid: boolean): Promise<void> {
    const [id = 0, item = new Item({})] = [...this.items][n % this.items.size] ?? [];
    const product = this.products.find((one) => one.id === id || one.variants.includes(id));
    const others = (product?.variants ?? []).map((variant) => {
      const { EUR: price, USD } = this.item(variant).ordinary;
      return { id: variant, price, prices: { USD }, attributes: { size: String(variant) } };
    });
    const body =
      product?.id === id
        ? input
        : { variants: others.map((one) => (one.id === id ? { ...one, ...input } : one)) };
    const answer = await this.world.patch(`/products/${product?.id}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(isValid ? 200 : 422);
    if (isValid) item.change(this.at, () => apply(item));
  }

  /** Lets time pass, and the alarm ring at each instant at which a sale begins or ends. */
  async pass(ms: number): Promise<void> {
    const until = this.at + ms;
    const instants = [...this.items.values()].flatMap((item) => item.instants());
    const due = instants.filter((one) => one > this.at && one <= until);
    for (const next of [...new Set(due), until].sort((a, b) => a - b)) {
      const before = this.at;
      this.at = next;
      stopClockAt(next);
      await ringSales(this.world);
      for (const item of this.items.values()) {
        item.change(next, () => undefined, before);
        if (item.sale && item.sale.to <= next) item.sale = null;
      }
    }
  }

  async check(): Promise<void> {
    const seeing = await seeingNow(this.world);
    for (const currency of CURRENCIES) {
      const listed = await this.world.get(
        `/products?include=variants&sort=price_asc&currency=${currency}`,
        seeing,
      );
      const wanted = this.products.map(({ id, variants }) => {
        const items = (variants.length > 0 ? variants : [id]).map((one) => this.item(one));
        const prices = items.map((one) => one.shown(currency, this.at) ?? 0);
        const lowest = variants.length > 0 ? undefined : items[0]?.lowest[currency];
        return {
          id,
          price: Math.min(...prices),
          price_range: { min: Math.min(...prices), max: Math.max(...prices) },
          on_sale: items.some((one) => one.isReduced(currency, this.at)),
          sale_ends_at: this.endOfPrice(items, currency),
          ...(lowest === undefined ? {} : { lowest_price_30d: lowest }),
          variants: variants.map((one) => this.wantedVariant(one, currency)),
        };
      });
      wanted.sort((a, b) => a.price - b.price || a.id - b.id);
      expect(listed.body.data).toMatchObject(wanted);
    }
  }

  /** Returns when the lowest price of the items ends: with the last sale of those that have it. */
  endOfPrice(items: readonly Item[], currency: Currency): string | null {
    const prices = items.map((one) => one.shown(currency, this.at) ?? 0);
    const ends = items
      .filter((_, n) => prices[n] === Math.min(...prices))
      .map((one) => (one.isOnSale(currency, this.at) ? (one.sale?.to ?? 0) : Number.POSITIVE_INFINITY));
    const last = Math.max(...ends);
    return Number.isFinite(last) ? instant(last) : null;
  }

  wantedVariant(id: number, currency: Currency) {
    const item = this.item(id);
    const from = item.reducedFrom(currency, this.at);
    const lowest = item.lowest[currency];
    return {
      id,
      price: item.shown(currency, this.at),
      on_sale: from !== undefined,
      sale_ends_at: this.endOfPrice([item], currency),
      regular_price: from ?? (currency === 'EUR' ? item.regular : null),
      ...(lowest === undefined ? {} : { lowest_price_30d: lowest }),
    };
  }
}

const n = fc.nat(3);
const amount = fc.integer({ min: 12, max: 30 });
// Some are not below the ordinary price.
const reduced = fc.integer({ min: 1, max: 15 });
const duration = fc.constantFrom(1, HOUR, 5 * HOUR, DAY, 9 * DAY, 20 * DAY, 27 * DAY, 31 * DAY);
const step = fc.oneof(
  fc.record({ kind: fc.constant('price' as const), n, eur: amount, usd: amount }),
  fc.record({
    kind: fc.constant('sale' as const),
    n,
    eur: fc.option(reduced),
    usd: fc.option(reduced),
    wait: fc.option(duration),
    last: duration,
  }),
  fc.record({ kind: fc.constant('none' as const), n }),
  fc.record({ kind: fc.constant('regular' as const), n, eur: fc.option(amount) }),
  fc.record({ kind: fc.constant('pass' as const), ms: duration }),
);

it('agrees with a model of prices after any sales, edits and time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16, size: 'max' }), async (steps) => {
      const shop = await Shop.open();
      for (const one of steps) {
        if (one.kind === 'pass') await shop.pass(one.ms);
        else if (one.kind === 'none')
          await shop.patch(one.n, { sale: null }, (item) => (item.sale = null), true);
        else if (one.kind === 'regular') {
          const { ordinary } = shop.item([...shop.items.keys()][one.n] ?? 0);
          const isValid = one.eur === null || one.eur >= (ordinary.EUR ?? 0);
          const apply = (item: Item) => (item.regular = one.eur);
          await shop.patch(one.n, { regular_price: one.eur }, apply, isValid);
        } else if (one.kind === 'price') {
          const { sale, regular } = shop.item([...shop.items.keys()][one.n] ?? 0);
          const { EUR = 0, USD = 0 } = sale?.prices ?? {};
          const apply = (item: Item) => (item.ordinary = { EUR: one.eur, USD: one.usd });
          await shop.patch(
            one.n,
            { price: one.eur, prices: { USD: one.usd } },
            apply,
            one.eur > EUR && one.usd > USD && one.eur <= (regular ?? one.eur),
          );
        } else {
          const from = one.wait === null ? shop.at : shop.at + one.wait;
          const prices = {
            ...(one.eur === null ? {} : { EUR: one.eur }),
            ...(one.usd === null ? {} : { USD: one.usd }),
          };
          const { ordinary } = shop.item([...shop.items.keys()][one.n] ?? 0);
          const isValid =
            Object.keys(prices).length > 0 &&
            CURRENCIES.every((code) => (prices[code] ?? 0) < (ordinary[code] ?? 0));
          const sale = { prices, from, to: from + one.last };
          const starts_at = one.wait === null ? undefined : instant(from);
          const input = { sale: { prices, starts_at, ends_at: instant(sale.to) } };
          await shop.patch(one.n, input, (item) => (item.sale = sale), isValid);
        }
        await shop.check();
      }
    }),
    { numRuns: 12 },
  );
});
