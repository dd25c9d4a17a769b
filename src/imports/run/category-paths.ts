import {
  type CategoryName,
  createMissingCategories,
  listCategoryNames,
  MAX_CATEGORY_LEVELS,
  type MissingCategory,
  STATEMENTS_PER_CATEGORY,
} from '../../catalog/index.ts';
import type { Failed, Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { fold } from '../../kernel/text/fold.ts';
import { quoted } from '../csv/csv-row.ts';

/** Category names from the root down. */
export type Path = readonly string[];

/** Returns a path down to the lowest level that the category tree has. */
export const usedLevels = (path: Path): Path => path.slice(0, MAX_CATEGORY_LEVELS);

/** Returns the message about the levels that {@link usedLevels} leaves out; null if it leaves out none. */
export function ignoredLevels(path: Path): string | null {
  const ignored = path.slice(MAX_CATEGORY_LEVELS).join(' > ');
  if (ignored === '') return null;
  return `The category has ${path.length} levels, of which the first ${MAX_CATEGORY_LEVELS} are used: ${quoted(ignored)} is ignored.`;
}

/** Attempts at creating categories while others change the tree concurrently. */
const MAX_ATTEMPTS = 5;
/** Statements of a creation besides {@link STATEMENTS_PER_CATEGORY} for each: ids, version, events, quota. */
const OTHER_STATEMENTS = 8;

/** Categories that are planned instead of created, by a dry run. */
interface CategoryPlan {
  readonly planned: readonly CategoryName[];
  /** Plans categories like `createMissingCategories`. */
  createCategories(missing: readonly MissingCategory[]): Promise<Result<number[]>>;
}

/** Resolves category paths to ids, and creates missing categories. */
export class CategoryPaths {
  /** The number of statements run so far. */
  statements = 0;
  private readonly ctx: TenantContext;
  private readonly plan: CategoryPlan | null;
  private ids = new Map<string, number>();
  /** How many children each category has; null: how many roots there are. */
  private children = new Map<number | null, number>();
  private categories: ReadonlyMap<number, CategoryName> = new Map();

  private constructor(ctx: TenantContext, plan: CategoryPlan | null) {
    this.ctx = ctx;
    this.plan = plan;
  }

  /** Reads the tenant's categories. With a plan, missing ones are planned, not created. */
  static async load(ctx: TenantContext, plan: CategoryPlan | null): Promise<CategoryPaths> {
    const paths = new CategoryPaths(ctx, plan);
    await paths.reload();
    return paths;
  }

  /** Re-reads the categories, which may have changed concurrently. */
  async reload(): Promise<void> {
    this.statements++;
    const categories = await listCategoryNames(this.ctx);
    this.categories = new Map(categories.map((category) => [category.id, category]));
    this.children = new Map();
    for (const { parent_id } of categories) this.countChild(parent_id);
    this.ids = new Map(
      [...categories, ...(this.plan?.planned ?? [])].flatMap(({ id, parent_id, name }: CategoryName) =>
        placesOf(parent_id, name).map((at) => [at, id] as const),
      ),
    );
  }

  private countChild(parent: number | null): void {
    this.children.set(parent, (this.children.get(parent) ?? 0) + 1);
  }

  /** Returns how many of the first paths together need at most `most` new categories; at least one. */
  fitting(paths: readonly Path[], most: number): number {
    for (let count = 1; count < paths.length; count++) {
      if (this.missing(paths.slice(0, count + 1)).length > most) return count;
    }
    return paths.length;
  }

  /** Returns the id of a path's category; null for an empty path, undefined if the category doesn't exist. */
  idAt(path: Path): number | null | undefined {
    let parent: number | null = null;
    for (const name of path) {
      const id = this.childOf(parent, name);
      if (id === undefined) return undefined;
      parent = id;
    }
    return parent;
  }

  /** Returns the id of the child that is called so, or else of one that differs in case and accents alone. */
  private childOf(parent: number | null, name: string): number | undefined {
    return placesOf(parent, name)
      .map((at) => this.ids.get(at))
      .find((id) => id !== undefined);
  }

  /**
   * Returns whether a path names a stored category: one that is called the same or has a ">" in its name. One that
   * differs in case and accents is not meant if another one is called exactly so.
   */
  isNamedBy(path: Path, id: number): boolean {
    const [name, wanted] = [this.fullName(id), path.join(' > ')];
    if (name === '' || fold(name) !== fold(wanted)) return false;
    const other = this.idAt(path);
    return name === wanted || typeof other !== 'number' || this.fullName(other) !== wanted;
  }

  /** Returns the names of a stored category from the root down; "" for any other. */
  private fullName(id: number): string {
    const names: string[] = [];
    for (let at: number | null = id; at !== null; ) {
      const category = this.categories.get(at);
      if (category) names.unshift(category.name.trim());
      at = category?.parent_id ?? null;
    }
    return names.join(' > ');
  }

  /**
   * Creates the missing categories of these paths in one batch; names compare without case and accents.
   * Concurrent imports share what they create. If the plan's quota is exceeded, creates path by path those
   * that fit and returns `quota_exceeded`.
   */
  async make(paths: readonly Path[]): Promise<Failed | null> {
    const refused = await this.createAll(paths);
    if (!refused || paths.length === 1) return refused;
    for (const path of paths) await this.createAll([path]);
    return refused;
  }

  /** Creates all of them or none. */
  private async createAll(paths: readonly Path[]): Promise<Failed | null> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const missing = this.missing(paths);
      if (missing.length === 0) return null;
      this.statements += STATEMENTS_PER_CATEGORY * missing.length + OTHER_STATEMENTS;
      // The last attempt risks a second spelling of a name: others may never stop creating categories.
      const childrenOf =
        attempt === MAX_ATTEMPTS ? null : (parent: number | null) => this.children.get(parent) ?? 0;
      const created = await (this.plan?.createCategories(missing) ??
        createMissingCategories(this.ctx, missing, childrenOf));
      if (created.ok) {
        this.note(missing, created.value);
        return null;
      }
      if (created.failure.code === 'quota_exceeded') return created;
      // A concurrent write changed the tree: reads it again.
      await this.reload();
    }
    throw new Error('The categories do not stop changing');
  }

  private note(created: readonly MissingCategory[], ids: readonly number[]): void {
    for (const [n, category] of created.entries()) {
      const parent = 'below' in category ? (ids[category.below] ?? null) : category.parent;
      this.countChild(parent);
      for (const at of placesOf(parent, category.name)) this.ids.set(at, ids[n] ?? 0);
    }
  }

  /** Returns the missing categories of these paths, parents before children. */
  private missing(paths: readonly Path[]): MissingCategory[] {
    const missing: MissingCategory[] = [];
    const places = new Map<string, number>();
    const add = (above: Above, name: string): number => {
      const at = place('below' in above ? `new ${above.below}` : above.parent, name);
      const n = places.get(at) ?? missing.length;
      if (n === missing.length) missing.push({ name, ...above });
      places.set(at, n);
      return n;
    };
    for (const path of paths) {
      let above: Above = { parent: null };
      for (const name of path) {
        const known: number | undefined = 'below' in above ? undefined : this.childOf(above.parent, name);
        above = known === undefined ? { below: add(above, name) } : { parent: known };
      }
    }
    return missing;
  }
}

/** Where a missing category goes: below an existing one, or below a missing one by its index. */
type Above = { readonly parent: number | null } | { readonly below: number };

const place = (parent: number | string | null, name: string): string =>
  `${parent ?? ''}>${fold(name.trim())}`;

/** Returns the keys of a category: by its name as it is, then without case and accents. */
const placesOf = (parent: number | null, name: string): readonly string[] => [
  `${parent ?? ''}=${name.trim()}`,
  place(parent, name),
];
