/** A cart costs the same whichever way it was filled: a model of its lines and codes is filled in several ways. */
import { expect, inject, it } from 'vitest';
import { Generator } from '../../catalog/filters/filter-catalogue.ts';
import { seeingNow } from '../../support/fixtures/catalog/sales.ts';
import { PASSWORD, registration } from '../../support/fixtures/selling/customers.ts';
import { random, shuffled } from '../../support/seeded-random.ts';
import { type Answer, type Options, type World, world } from '../../support/world.ts';
import { CURRENCIES, type Good, goodsOf } from './random-goods.ts';

const CARTS = 4;

/** A cart to be filled: quantities by good, and what else it has. */
interface Wanted {
  readonly lines: ReadonlyMap<Good, number>;
  readonly currency: string;
  readonly country: string;
  readonly codes: readonly string[];
}

/** A shopper who fills carts, seeing all that is committed. */
class Filler {
  constructor(
    private readonly shop: World,
    private readonly g: Generator,
    private readonly luck: () => number,
    private readonly fresh: Options,
  ) {}

  private async send(method: 'post' | 'patch' | 'put', path: string, body: object): Promise<Answer['body']> {
    const answer = await this.shop[method](path, body, this.fresh);
    expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
    return answer.body;
  }

  private add = (cart_token: string, good: Good, quantity: number) =>
    this.send('post', '/cart/items', { cart_token, ...good, quantity });

  private remove = (token: string, item: number) =>
    this.shop.delete(`/cart/items/${item}?cart_token=${token}`, this.fresh);

  /** Enters codes, which may be refused where others are better, and the country; returns the cart. */
  private async end(token: string, { codes, country }: Wanted): Promise<Answer['body']> {
    for (const code of codes) await this.shop.post(`/cart/${token}/coupon`, { code }, this.fresh);
    return this.send('put', `/cart/${token}/shipping-address`, { country });
  }

  /** All lines in one request. */
  async atOnce(wanted: Wanted) {
    const items = [...wanted.lines].map(([good, quantity]) => ({ ...good, quantity }));
    const { cart_token } = await this.send('post', '/cart', { currency: wanted.currency, items });
    return this.end(cart_token, wanted);
  }

  /** Lines in parts and in any order, with others, codes and a country that do not stay. */
  async inParts(wanted: Wanted, other: Good) {
    const { cart_token } = await this.send('post', '/cart', { currency: wanted.currency });
    await this.send('put', `/cart/${cart_token}/shipping-address`, { country: 'CH' });
    const parts = [...wanted.lines].flatMap(([good, quantity]) => {
      const first = this.g.below(quantity);
      return [first, quantity - first].filter((part) => part > 0).map((part) => [good, part] as const);
    });
    for (const [good, part] of shuffled(parts, this.luck)) {
      await this.add(cart_token, good, part);
      if (!this.g.chance(0.3)) continue;
      await this.shop.post(`/cart/${cart_token}/coupon`, { code: 'FIXED' }, this.fresh);
      await this.shop.delete(`/cart/${cart_token}/coupon`, this.fresh);
    }
    const newest = async (good: Good) => {
      const { items } = await this.add(cart_token, good, 2);
      return Math.max(...items.map(({ id }: Answer['body']) => id));
    };
    await this.remove(cart_token, await newest(other));
    const [again] = wanted.lines;
    if (again) {
      const before = (await this.shop.get(`/cart/${cart_token}`, this.fresh)).body.items;
      const { items } = await this.add(cart_token, again[0], 1);
      const line = items.find(({ quantity }: Answer['body'], at: number) => quantity !== before[at].quantity);
      await this.remove(cart_token, line.id);
      const id = await newest(again[0]);
      await this.send('patch', `/cart/items/${id}`, { cart_token, quantity: again[1] });
    }
    return this.end(cart_token, wanted);
  }

  /** Some lines, or less of them, as a guest, and the others in a customer's cart, which takes the guest's. */
  async asGuestAndCustomer(wanted: Wanted) {
    const { currency } = wanted;
    const guest = (await this.send('post', '/cart', { currency })).cart_token;
    const own = (await this.send('post', '/cart', { currency })).cart_token;
    const customer = registration({ cart_token: own });
    await this.send('post', '/customers/register', customer);
    for (const [good, quantity] of wanted.lines) {
      const where = this.g.pick(['guest', 'customer', 'both']);
      if (where !== 'customer')
        await this.add(guest, good, where === 'both' ? 1 + this.g.below(quantity) : quantity);
      if (where !== 'guest') await this.add(own, good, quantity);
    }
    const login = { email: customer.email, password: PASSWORD, cart_token: guest };
    const { cart_token } = await this.send('post', '/customers/login', login);
    return this.end(cart_token, wanted);
  }
}

/** What a shopper sees of a cart, whatever the order of its lines. Of lines that cost the same, either has an odd unit. */
function shown({ items, totals, applied_promotions, shipping_method, total_quantity }: Answer['body']) {
  const lines = items.map(({ sku, quantity, unit_price, total, selected }: Answer['body']) =>
    JSON.stringify({ sku, quantity, unit_price, total, selected }),
  );
  return { lines: lines.sort(), totals, applied_promotions, shipping_method, total_quantity };
}

it('has the same lines, discounts and totals', async () => {
  const seed = inject('seed');
  const luck = random(seed);
  const g = new Generator(luck);
  const rates = {
    rate_percent: 7.7,
    rates_by_country: { DE: 19 },
    rates_by_class: { low: { rate_percent: 3.5 } },
  };
  const methods = [
    {
      id: 'parcel',
      name: 'Parcel',
      price: { EUR: 4.99, JPY: 7, KWD: 1.375 },
      free_over: { EUR: 50, JPY: 900 },
    },
    {
      id: 'light',
      name: 'Light',
      tiers: [0, 900].map((from_weight) => ({ from_weight, price: from_weight })),
    },
  ];
  const tax = { mode: seed % 2 ? 'inclusive' : 'exclusive', ...rates };
  const shop = await world({ currencies: CURRENCIES, settings: { tax, shipping: { methods } } });
  const goods = await goodsOf(shop, g);
  const filler = new Filler(shop, g, luck, await seeingNow(shop));
  for (let cart = 0; cart < CARTS; cart++) {
    const [other = {}, ...some] = shuffled(goods, luck);
    const wanted = {
      lines: new Map(some.slice(0, 1 + g.below(5)).map((good) => [good, 1 + g.below(7)])),
      currency: g.pick(CURRENCIES),
      country: g.pick(['DE', 'US']),
      codes: g.some(['FIXED', 'PARTS'], 1),
    };
    const expected = shown(await filler.atOnce(wanted));
    const asked = `seed ${seed}: ${JSON.stringify({ ...wanted, lines: [...wanted.lines] })}`;
    expect(shown(await filler.inParts(wanted, other)), asked).toEqual(expected);
    expect(shown(await filler.asGuestAndCustomer(wanted)), asked).toEqual(expected);
  }
}, 300_000);
