import type { Caller } from '../../support/faults/caller.ts';
import { pickFrom } from '../../support/seeded-random.ts';
import { type Ledger, RECOUNT } from './ledger.ts';

/** Products in each imported file. */
const IMPORTED = 3;

/** What a merchant sells: the product's id and SKU. */
export interface Sold {
  readonly id: number;
  readonly sku: string;
}

/** A merchant who restocks, reprices, imports, sends, refunds and cancels, and keeps a ledger of what was confirmed. */
export class RandomMerchant {
  private files = 0;
  private readonly actions: readonly (() => Promise<unknown>)[] = [
    () => this.adjust(),
    () => this.reprice(),
    () => this.importFile(),
    ...Array(2).fill(() => this.fulfil()),
    ...Array(3).fill(() => this.refund()),
    () => this.cancel(),
    () => this.caller.attempt('GET', '/events?limit=20'),
  ];

  constructor(
    private readonly caller: Caller,
    private readonly goods: readonly Sold[],
    private readonly ledger: Ledger,
    private readonly luck: () => number,
  ) {}

  /** Does one thing. */
  async act(): Promise<void> {
    await pickFrom(this.actions, this.luck)();
  }

  private async adjust(): Promise<void> {
    const { sku } = pickFrom(this.goods, this.luck);
    const delta = 1 + Math.floor(this.luck() * 3);
    const items = [{ sku, delta, reason: RECOUNT }];
    const { status } = await this.caller.once('POST', '/inventory/adjustments', { items });
    if (status === 200) this.ledger.adjusted[sku] = (this.ledger.adjusted[sku] ?? 0) + delta;
  }

  private async reprice(): Promise<void> {
    const { id } = pickFrom(this.goods, this.luck);
    const price = 8 + Math.floor(this.luck() * 5);
    const { status } = await this.caller.once('PATCH', `/products/${id}`, { price });
    if (status === 200) this.ledger.prices.set(id, price);
  }

  private async importFile(): Promise<void> {
    const file = this.files++;
    const handles = Array.from({ length: IMPORTED }, (_, n) => `imported-${file}-${n}`);
    const lines = handles.map((handle) => `${handle},Imported ${handle},7,5`);
    const csv = ['Handle,Title,Variant Price,Variant Inventory Qty', ...lines, ''].join('\n');
    const { status, body } = await this.caller.once('POST', '/imports/products', csv);
    if (status === 202) this.ledger.imports.set(body.id, handles);
  }

  private async fulfil(): Promise<void> {
    await this.withOrder(async (id) => {
      const body = { items: [{ line_id: 1, quantity: 1 }] };
      const answer = await this.caller.once('POST', `/orders/${id}/fulfilments`, body);
      if (answer.status === 201) this.ledger.parcels.add(answer.body.id);
    });
  }

  private async refund(): Promise<void> {
    const items = [{ line_id: 1, quantity: 1, restock: this.luck() < 0.5 }];
    const body = this.luck() < 0.7 ? { items } : { amount: 1.5 };
    await this.withOrder(async (id) => {
      const answer = await this.caller.once('POST', `/orders/${id}/refunds`, body);
      if (answer.status === 201) this.ledger.refunds.add(answer.body.id);
    });
  }

  private async cancel(): Promise<void> {
    if (this.luck() < 0.3) await this.withOrder((id) => this.caller.once('POST', `/orders/${id}/cancel`));
  }

  /** Works on one of the paid orders, if there is one. */
  private async withOrder(work: (id: string) => Promise<unknown>): Promise<void> {
    const shown = await this.caller.attempt('GET', '/orders?status=paid&limit=100');
    if (shown?.status !== 200 || shown.body.data.length === 0) return;
    await work(pickFrom<{ id: string }>(shown.body.data, this.luck).id);
  }
}
