import {
  type CategoryName,
  createMissingCategories,
  listCategoryNames,
  type MissingCategory,
  STATEMENTS_PER_CATEGORY,
} from '../catalog/index.ts';
import { fold } from '../kernel/core/fold.ts';
import type { Failed } from '../kernel/core/result.ts';
import type { Database } from '../kernel/data/database.ts';

/** Names from the root down. */
export type Path = readonly string[];

/** How often the tree is read again because others change it at the same moment. */
const TRIES = 5;
/** What making categories runs besides {@link STATEMENTS_PER_CATEGORY} for each: ids, version, quota. */
const OTHER_STATEMENTS = 5;

/** Finds categories by the names on the way to them, and makes those that are missing. */
export class CategoryPaths {
  /** How many statements it has run so far. */
  statements = 0;
  readonly #db: Database;
  readonly #tenantId: number;
  #ids = new Map<string, number>();

  private constructor(db: Database, tenantId: number) {
    this.#db = db;
    this.#tenantId = tenantId;
  }

  /** Reads what categories there are. */
  static async load(db: Database, tenantId: number): Promise<CategoryPaths> {
    const paths = new CategoryPaths(db, tenantId);
    await paths.reload();
    return paths;
  }

  /** Reads again what categories there are: others may have made or deleted some. */
  async reload(): Promise<void> {
    this.statements++;
    const categories = await listCategoryNames(this.#db, this.#tenantId);
    this.#ids = new Map(
      categories.map(({ id, parent_id, name }: CategoryName) => [place(parent_id, name), id]),
    );
  }

  /**
   * Returns how many of the paths, from the first on, need at most `most` new categories together; at least
   * one.
   */
  fitting(paths: readonly Path[], most: number): number {
    for (let count = 1; count < paths.length; count++) {
      if (this.#missing(paths.slice(0, count + 1)).length > most) return count;
    }
    return paths.length;
  }

  /**
   * Returns the id of the category at the end of a path; null for an empty one, undefined where there is
   * none.
   */
  idAt(path: Path): number | null | undefined {
    let parent: number | null = null;
    for (const name of path) {
      const id: number | undefined = this.#ids.get(place(parent, name));
      if (id === undefined) return undefined;
      parent = id;
    }
    return parent;
  }

  /**
   * Makes the categories on these paths that are missing, in one batch; names count as equal in any case and
   * accent. Imports that run at once find what each other makes. Where they are more than the plan allows,
   * those of the first paths that fit are made; fails with `quota_exceeded` then.
   */
  async make(paths: readonly Path[]): Promise<Failed | null> {
    const refused = await this.#makeAll(paths);
    if (!refused || paths.length === 1) return refused;
    for (const path of paths) await this.#makeAll([path]);
    return refused;
  }

  /** Makes all of them, or none. */
  async #makeAll(paths: readonly Path[]): Promise<Failed | null> {
    for (let tries = 0; tries < TRIES; tries++) {
      const missing = this.#missing(paths);
      if (missing.length === 0) return null;
      this.statements += STATEMENTS_PER_CATEGORY * missing.length + OTHER_STATEMENTS;
      const made = await createMissingCategories(this.#db, this.#tenantId, missing);
      if (made.ok) this.#note(missing, made.value);
      else if (made.failure.code === 'quota_exceeded') return made;
      // Somebody else was faster: see what there is now.
      else await this.reload();
    }
    throw new Error('The categories do not stop changing');
  }

  #note(made: readonly MissingCategory[], ids: readonly number[]): void {
    for (const [n, category] of made.entries()) {
      const parent = 'below' in category ? (ids[category.below] ?? null) : category.parent;
      this.#ids.set(place(parent, category.name), ids[n] ?? 0);
    }
  }

  /** What is missing on these paths, parents before what is below them. */
  #missing(paths: readonly Path[]): MissingCategory[] {
    const missing: MissingCategory[] = [];
    const places = new Map<string, number>();
    for (const path of paths) {
      let parent: number | null = null;
      // The place in `missing` of the one before on this path.
      let below: number | null = null;
      for (const name of path) {
        const at: string = below === null ? place(parent, name) : place(`new ${below}`, name);
        const known: number | undefined = below === null ? this.#ids.get(at) : undefined;
        if (known !== undefined) {
          parent = known;
          continue;
        }
        const next: number = places.get(at) ?? missing.length;
        if (next === missing.length) {
          missing.push(below === null ? { name, parent } : { name, below });
          places.set(at, next);
        }
        below = next;
      }
    }
    return missing;
  }
}

const place = (parent: number | string | null, name: string): string =>
  `${parent ?? ''}>${fold(name.trim())}`;
