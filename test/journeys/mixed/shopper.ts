import type { Caller } from '../../support/faults/caller.ts';
import { pickFrom } from '../../support/seeded-random.ts';
import { isSame, type Ledger, linesOf } from './ledger.ts';

/** The most units of a line: a shopper who adds more sets it back to one. */
const MAX_UNITS = 4;

/** What is for sale. */
export interface Goods {
  readonly products: readonly number[];
  readonly codes: readonly string[];
}

/** A shopper who browses, searches, fills a cart and buys, and keeps a ledger of what the shop confirmed. */
export class RandomShopper {
  private cart: string | null = null;
  private readonly actions: readonly (() => Promise<unknown>)[] = [
    ...Array(4).fill(() => this.browse()),
    () => this.search(),
    ...Array(4).fill(() => this.add()),
    () => this.setQuantity(),
    () => this.removeLine(),
    () => this.enterCode(),
    () => this.pay('pay'),
    () => this.pay('pay'),
    () => this.pay('decline'),
  ];

  constructor(
    private readonly caller: Caller,
    private readonly goods: Goods,
    private readonly ledger: Ledger,
    private readonly luck: () => number,
  ) {}

  /** Does one thing. */
  async act(): Promise<void> {
    await pickFrom(this.actions, this.luck)();
  }

  private async browse(): Promise<void> {
    const product = pickFrom(this.goods.products, this.luck);
    const path = pickFrom(
      ['/products', `/products/${product}`, '/categories', '/products?sort=price_asc'],
      this.luck,
    );
    await this.caller.attempt('GET', path);
  }

  private search = () =>
    this.caller.attempt('GET', `/search?q=${pickFrom(['cup', 'blue', 'imported'], this.luck)}`);

  private async add(): Promise<void> {
    const product = pickFrom(this.goods.products, this.luck);
    const known = this.lines();
    const quantity = (known.get(product) ?? 0) + 1;
    if (quantity > MAX_UNITS) return;
    const body = { product_id: product, quantity: 1, cart_token: this.cart };
    const answer = await this.caller.once('POST', '/cart/items', body);
    if (answer.status === 200) this.cart = answer.body.cart_token;
    this.confirm(answer, known.set(product, quantity));
  }

  private async setQuantity(): Promise<void> {
    await this.edit((item, known) => {
      const quantity = 1 + Math.floor(this.luck() * MAX_UNITS);
      return [{ op: 'set', item_id: item.id, quantity }, known.set(item.product_id, quantity)];
    });
  }

  private async removeLine(): Promise<void> {
    await this.edit((item, known) => {
      known.delete(item.product_id);
      return [{ op: 'remove', item_id: item.id }, known];
    });
  }

  private async enterCode(): Promise<void> {
    if (this.cart === null) return;
    const body = { operations: [{ op: 'coupon', code: pickFrom(this.goods.codes, this.luck) }] };
    this.confirm(await this.caller.once('POST', `/cart/${this.cart}/batch`, body), this.lines());
  }

  /** Changes a line of the cart as it is shown. */
  private async edit(
    change: (
      item: { id: number; product_id: number },
      known: Map<number, number>,
    ) => readonly [operation: object, after: Map<number, number>],
  ): Promise<void> {
    if (this.cart === null) return;
    const shown = await this.caller.attempt('GET', `/cart/${this.cart}`);
    if (shown?.status !== 200 || shown.body.items.length === 0) return;
    const [operation, after] = change(pickFrom(shown.body.items, this.luck), this.lines());
    const answer = await this.caller.once('POST', `/cart/${this.cart}/batch`, { operations: [operation] });
    this.confirm(answer, after);
  }

  /** Pays or not; a cart with a paid order is left behind. */
  private async pay(action: string): Promise<void> {
    if (this.cart === null) return;
    const to = await this.caller.buy(this.cart, action);
    if (to?.searchParams.get('status') !== 'paid') return;
    this.ledger.paid.add(to.searchParams.get('order_id') ?? '');
    this.cart = null;
  }

  private lines(): Map<number, number> {
    return new Map(this.cart === null ? [] : this.ledger.carts.get(this.cart));
  }

  /** Records the lines that a confirmed edit leaves. A cart that an order locks may be the order's for good. */
  private confirm({ status, body }: { status: number; body: unknown }, lines: Map<number, number>): void {
    const answer = body as Parameters<typeof linesOf>[0] & { code?: string }; // checked by the status
    if (status !== 200) {
      if (answer.code === 'cart_locked' && this.luck() < 0.5) this.cart = null;
      return;
    }
    if (!isSame(linesOf(answer), lines)) {
      const shown = { wanted: [...lines], shown: [...linesOf(answer)] };
      this.ledger.faults.push({ rule: 'an edit of a cart changes nothing else, and once', rows: [shown] });
    }
    if (this.cart !== null) this.ledger.carts.set(this.cart, linesOf(answer));
  }
}
