import { type CategoryRow, createCategory, listCategories } from '../catalog/index.ts';
import type { Database } from '../kernel/database.ts';
import { WITHOUT_KEY } from '../kernel/idempotency.ts';
import { fold } from '../kernel/words.ts';

/** Finds categories by the names on the way to them, and makes those that are missing. */
export class CategoryPaths {
  readonly #db: Database;
  readonly #tenantId: number;
  readonly #ids = new Map<string, number>();

  private constructor(db: Database, tenantId: number, categories: readonly CategoryRow[]) {
    this.#db = db;
    this.#tenantId = tenantId;
    for (const { id, parent_id, name } of categories) this.#ids.set(place(parent_id, name), id);
  }

  /** Reads what categories there are. */
  static async load(db: Database, tenantId: number): Promise<CategoryPaths> {
    return new CategoryPaths(db, tenantId, await listCategories(db, tenantId));
  }

  /** The id of the category at the end of a path; names count as equal in any case and accent. */
  async idAt(path: readonly string[]): Promise<number | null> {
    let parent: number | null = null;
    for (const name of path) {
      const known: number | undefined = this.#ids.get(place(parent, name));
      parent = known ?? (await this.#make(parent, name));
    }
    return parent;
  }

  async #make(parent: number | null, name: string): Promise<number> {
    const made = await createCategory(this.#db, this.#tenantId, { name, parent_id: parent }, WITHOUT_KEY);
    // What was true a moment ago is not: the message comes again and reads the tree anew.
    if (!made.ok) throw new Error(`A category could not be made: ${made.failure.code}`);
    this.#ids.set(place(parent, name), made.value.id);
    return made.value.id;
  }
}

const place = (parent: number | null, name: string): string => `${parent ?? ''}>${fold(name.trim())}`;
