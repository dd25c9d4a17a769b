import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { quotaExceeded, quotaLeft } from '../../tenants/index.ts';
import type { DryRun } from './dry-run.ts';

/** How many more products and variants the tenant's plan allows, for the products of a round in their order. */
export class ProductRoom {
  #left: number;
  readonly #message: string;

  private constructor(left: number, message: string) {
    this.#left = left;
    this.#message = message;
  }

  /** Reads how many the plan allows by now, without those that a dry run would have added. */
  static async load(ctx: TenantDatabase, dryRun: DryRun | null): Promise<ProductRoom> {
    const [left, planned, { failure }] = await Promise.all([
      quotaLeft(ctx, 'products'),
      dryRun?.itemsAdded() ?? 0,
      quotaExceeded(ctx, 'products'),
    ]);
    return new ProductRoom(left - planned, failure.message ?? '');
  }

  /** Takes the room of a product that adds so many (below 0: it removes some); returns why there is too little, or null. */
  take(added: number): string | null {
    if (added > 0 && added > this.#left) return this.#message;
    this.#left -= added;
    return null;
  }
}
