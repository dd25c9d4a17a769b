import { cutWord, wholeWords } from '../../../kernel/text/fold.ts';
import { furtherTerms } from '../../indexing/search-words.ts';
import type { IndexedCategory } from '../changes/index.ts';

/** The deepest tree that is followed upwards; deeper than any that can be made. */
const MAX_LEVELS = 10;

/** The tree of a tenant's categories. Each id that was ever named has a number, by which flags and counts are kept. */
export class CategoryTree {
  private readonly categories = new Map<number, IndexedCategory>();
  private readonly numbers = new Map<number, number>();
  private readonly ids: number[] = [];
  private readonly words = new WeakMap<IndexedCategory, readonly string[]>();
  /** Rises with each change. */
  revision = 0;
  /** What {@link lines} returned since the last change. */
  private known: readonly (readonly IndexedCategory[])[] | null = null;

  constructor(categories: readonly IndexedCategory[]) {
    for (const category of categories) this.categories.set(category.id, category);
  }

  /** All categories, in no order. */
  all(): IndexedCategory[] {
    return [...this.categories.values()];
  }

  /** Takes changed categories; those of the ids that are not among them were deleted. */
  change(ids: readonly number[], categories: readonly IndexedCategory[]): void {
    this.known = null;
    if (ids.length > 0) this.revision++;
    for (const id of ids) this.categories.delete(id);
    for (const category of categories) this.categories.set(category.id, category);
  }

  /** Returns the numbers of categories, whether they exist or not. */
  numbersOf(ids: Float64Array): Uint32Array {
    return Uint32Array.from(ids, (id) => {
      const known = this.numbers.get(id);
      if (known !== undefined) return known;
      this.known = null;
      this.numbers.set(id, this.ids.length);
      return this.ids.push(id) - 1;
    });
  }

  /** Returns a category and all above it, from the bottom; none if it doesn't exist. */
  private lineOf(id: number): IndexedCategory[] {
    const line: IndexedCategory[] = [];
    let category = this.categories.get(id);
    while (category && line.length < MAX_LEVELS) {
      line.push(category);
      category = category.parentId === null ? undefined : this.categories.get(category.parentId);
    }
    return line;
  }

  /** Returns by number whether a category is one of these or below one of them. */
  below(ids: readonly number[]): Uint8Array {
    const wanted = new Set(ids);
    return Uint8Array.from(this.lines(), (line) => Number(line.some(({ id }) => wanted.has(id))));
  }

  /** Returns by number the categories that a product in this one belongs to: itself and all above it. */
  lines(): readonly (readonly IndexedCategory[])[] {
    this.known ??= this.ids.map((id) => this.lineOf(id));
    return this.known;
  }

  /** Returns by number whether a word of a category's name, or of one above it, matches; null if none does. */
  named(isMatch: (word: string) => boolean): Uint8Array | null {
    const found = new Set<number>();
    for (const category of this.categories.values()) {
      if (this.wordsOf(category).some(isMatch)) found.add(category.id);
    }
    return found.size > 0 ? this.below([...found]) : null;
  }

  private wordsOf(category: IndexedCategory): readonly string[] {
    const known = this.words.get(category);
    if (known) return known;
    const ofName = wholeWords(category.name);
    const all = [...ofName.map(cutWord), ...furtherTerms(ofName)];
    this.words.set(category, all);
    return all;
  }

  /** Returns whether a category or one above it is hidden. */
  isHidden(id: number): boolean {
    return this.lineOf(id).some(({ hidden }) => hidden);
  }
}
