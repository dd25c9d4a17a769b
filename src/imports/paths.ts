import { createMissingCategory, listCategories } from '../catalog/index.ts';
import type { Database } from '../kernel/database.ts';
import type { Failed } from '../kernel/result.ts';
import { fold } from '../kernel/words.ts';

/** How often the tree is read again because others change it at the same moment. */
const TRIES = 5;

/** Finds categories by the names on the way to them, and makes those that are missing. */
export class CategoryPaths {
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
    const categories = await listCategories(this.#db, this.#tenantId);
    this.#ids = new Map(categories.map(({ id, parent_id, name }) => [place(parent_id, name), id]));
  }

  /**
   * The id of the category at the end of a path, null for an empty one; names count as equal in any case and
   * accent. Imports that run at once find what each other makes. `quota_exceeded` where one more is too many.
   */
  async idAt(path: readonly string[]): Promise<number | null | Failed> {
    for (let tries = 0; tries < TRIES; tries++) {
      const id = await this.#walk(path);
      if (id !== undefined) return id;
      await this.reload();
    }
    throw new Error('The categories do not stop changing');
  }

  /** {@link idAt}, or undefined when the tree is not what it was when it was read. */
  async #walk(path: readonly string[]): Promise<number | null | Failed | undefined> {
    let parent: number | null = null;
    for (const name of path) {
      const known: number | Failed | undefined =
        this.#ids.get(place(parent, name)) ?? (await this.#make(parent, name));
      if (typeof known !== 'number') return known;
      parent = known;
    }
    return parent;
  }

  async #make(parent: number | null, name: string): Promise<number | Failed | undefined> {
    const made = await createMissingCategory(this.#db, this.#tenantId, name, parent);
    if (!made.ok) return made.failure.code === 'quota_exceeded' ? made : undefined;
    this.#ids.set(place(parent, name), made.value.id);
    return made.value.id;
  }
}

const place = (parent: number | null, name: string): string => `${parent ?? ''}>${fold(name.trim())}`;
