import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { quotaExceeded, quotaLeft } from '../../tenants/index.ts';
import type { DryRun } from './dry-run.ts';

/** What is left of the plan's quota of products and variants while a round is planned, in the order of its products. */
export class ProductQuota {
  private left: number;
  private readonly message: string;

  private constructor(left: number, message: string) {
    this.left = left;
    this.message = message;
  }

  /** Reads what is left, without what a dry run would have added. */
  static async load(ctx: TenantDatabase, dryRun: DryRun | null): Promise<ProductQuota> {
    const [left, planned, { failure }] = await Promise.all([
      quotaLeft(ctx, 'products'),
      dryRun?.itemsAdded() ?? 0,
      quotaExceeded(ctx, 'products'),
    ]);
    return new ProductQuota(left - planned, failure.message ?? '');
  }

  /** Counts a product that adds so many, or removes some (below 0). Returns why the quota refuses it, or null. */
  add(added: number): string | null {
    if (added > 0 && added > this.left) return this.message;
    this.left -= added;
    return null;
  }
}
