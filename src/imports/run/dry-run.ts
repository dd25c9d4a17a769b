import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import {
  type CategoryName,
  hasEffect,
  itemsAdded,
  leavesOversold,
  type MissingCategory,
  type ProductState,
  type ProductWrite,
  preconditionsOf,
  refuseLongNames,
} from '../../catalog/index.ts';
import { itemsBySku } from '../../inventory/index.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import {
  jsonList,
  jsonLists,
  rows,
  run,
  type Statement,
  type Violation,
} from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { quotaExceeded, quotaLeft } from '../../tenants/index.ts';
import { importEffects } from '../tables.ts';

/** The CHECK that refuses a product with more units sold or reserved than on hand; a retry doesn't help. */
export const OVERSOLD = 'stock_never_oversold';
/** The CHECK that enforces the plan's quota of products and variants. */
export const OVER_QUOTA = 'within_quota';
/** The CHECK of a violated precondition, one of `preconditionsOf`. */
const PRECONDITION = 'guard_holds';

/** What the import would have written, as a row has it. */
type Effect = Pick<typeof importEffects.$inferSelect, 'kind' | 'key' | 'value'>;

/**
 * A dry run of an import (`?dry_run=true`): finds what the import would refuse, and records what it would have
 * written instead of writing it, so that later lines are checked against it.
 */
export class DryRun {
  /** The number of statements that have looked for violated preconditions so far. */
  statements = 0;
  /** The categories that the import would have created so far; their ids are negative. */
  readonly planned: CategoryName[] = [];
  private readonly ctx: TenantDatabase;
  private readonly importId: string;
  /** How many of the planned categories are recorded. */
  private recorded = 0;

  private constructor(ctx: TenantDatabase, importId: string) {
    this.ctx = ctx;
    this.importId = importId;
  }

  /** Reads what earlier steps of the dry run have recorded. */
  static async load(ctx: TenantDatabase, importId: string): Promise<DryRun> {
    const dryRun = new DryRun(ctx, importId);
    for (const { value } of await dryRun.recordedAs('category')) {
      // Written by #newEffects.
      dryRun.planned.push(JSON.parse(value ?? '') as CategoryName);
    }
    dryRun.committed();
    return dryRun;
  }

  /** Plans categories, all or none, and returns their ids in order; `quota_exceeded` above the quota. */
  async createCategories(missing: readonly MissingCategory[]): Promise<Result<number[]>> {
    const { planned } = this;
    if (planned.length + missing.length > (await quotaLeft(this.ctx, 'categories')))
      return quotaExceeded(this.ctx, 'categories');
    const tooLong = await refuseLongNames(
      this.ctx,
      [...planned, ...missing].map(({ name }) => name),
    );
    if (tooLong) return tooLong;
    const first = planned.length + 1;
    const ids = missing.map((_, n) => -(first + n));
    missing.forEach((category, n) => {
      const parent = 'below' in category ? (ids[category.below] ?? null) : category.parent;
      planned.push({ id: ids[n] ?? 0, parent_id: parent, name: category.name });
    });
    return ok(ids);
  }

  /** Returns who would have these SKUs: a product's slug, or null for one that would have become free. */
  async owners(skus: readonly string[]): Promise<[sku: string, slug: string | null][]> {
    const found = await this.recordedAs('sku', inArray(importEffects.key, sql`(${jsonList(skus)})`));
    return found.map(({ key, value }) => [key, value]);
  }

  /** Returns the constraint that the writes would violate, in the order in which a batch meets them; or null. */
  async refusal(writes: readonly ProductWrite[]): Promise<Violation | null> {
    const effective = writes.filter(hasEffect);
    const known = effective.map(({ before, after }) => ({ before, after: withoutPlanned(after) }));
    for (const { violations } of preconditionsOf(this.ctx.tenantId, known)) {
      this.statements += 1;
      if ((await rows(this.ctx.db, violations)).length > 0) return refused(PRECONDITION);
    }
    if (await this.takesSku(effective)) return { kind: 'unique', name: 'inventory_items.sku' };
    if (effective.some(leavesOversold)) return refused(OVERSOLD);
    if (!effective.some((write) => itemsAdded(write) > 0)) return null;
    const left = (await quotaLeft(this.ctx, 'products')) - (await this.itemsAdded());
    return addedBy(effective) > left ? refused(OVER_QUOTA) : null;
  }

  /** Returns whether a write takes a SKU that another product has and that none of the writes frees. */
  private async takesSku(writes: readonly ProductWrite[]): Promise<boolean> {
    const freed = new Set(writes.flatMap(({ before, after }) => skusWithout(before?.state, after)));
    const taken = writes
      .flatMap(({ before, after }) => skusWithout(after, before?.state))
      .filter((sku) => !freed.has(sku));
    if (taken.length === 0) return false;
    const [items, planned] = await Promise.all([itemsBySku(this.ctx, taken), this.owners(taken)]);
    const owners = new Map<string, unknown>([...items.map(({ sku }) => [sku, sku] as const), ...planned]);
    return taken.some((sku) => (owners.get(sku) ?? null) !== null);
  }

  /** Returns the number of products and variants that the import would have added so far. */
  async itemsAdded(): Promise<number> {
    const [row] = await this.recordedAs('items');
    return Number(row?.value ?? 0);
  }

  private recordedAs(kind: Effect['kind'], condition?: SQL) {
    const ofImport = and(
      eq(importEffects.tenantId, this.ctx.tenantId),
      eq(importEffects.importId, this.importId),
    );
    return this.ctx.db
      .select({ key: importEffects.key, value: importEffects.value })
      .from(importEffects)
      .where(and(ofImport, eq(importEffects.kind, kind), condition));
  }

  /** Returns the statements that record what these writes, each with an effect, would have done. */
  record(writes: readonly ProductWrite[]): Statement[] {
    const { db, tenantId } = this.ctx;
    return jsonLists(this.newEffects(writes)).map((list) =>
      run(
        db,
        sql`INSERT INTO import_effects (import_id, kind, key, tenant_id, value)
          SELECT ${this.importId}, value ->> 'kind', value ->> 'key', ${tenantId}, value ->> 'value'
          FROM json_each(${list}) WHERE true
          ON CONFLICT (import_id, kind, key) DO UPDATE SET
            value = iif(kind = 'items', value + excluded.value, excluded.value)`,
      ),
    );
  }

  /** Notes that the statements of the last {@link record} are committed. */
  committed(): void {
    this.recorded = this.planned.length;
  }

  private newEffects(writes: readonly ProductWrite[]): Effect[] {
    const categories = this.planned.slice(this.recorded);
    const added = addedBy(writes);
    return [
      ...categories.map(
        (one): Effect => ({ kind: 'category', key: String(one.id), value: JSON.stringify(one) }),
      ),
      ...writes.flatMap(skuEffects),
      ...(added === 0 ? [] : [{ kind: 'items' as const, key: '', value: String(added) }]),
    ];
  }
}

const refused = (name: string): Violation => ({ kind: 'check', name });

const addedBy = (writes: readonly ProductWrite[]): number =>
  writes.reduce((sum, write) => sum + itemsAdded(write), 0);

const skuEffects = ({ before, after }: ProductWrite): Effect[] => [
  ...skusWithout(before?.state, after).map((key): Effect => ({ kind: 'sku', key, value: null })),
  ...skusWithout(after, before?.state).map((key): Effect => ({ kind: 'sku', key, value: after.slug })),
];

/** Returns the SKUs that a product and its variants have in one state and not in another. */
export function skusWithout(one: ProductState | undefined, other?: ProductState): string[] {
  const skus = (state?: ProductState) => (state ? [state.sku, ...state.variants.map(({ sku }) => sku)] : []);
  return skus(one).filter((sku) => !skus(other).includes(sku));
}

/** Returns the product without the categories that are only planned, which the database doesn't know. */
export const withoutPlanned = (state: ProductState): ProductState => ({
  ...state,
  categoryIds: state.categoryIds.filter((id) => id > 0),
});
