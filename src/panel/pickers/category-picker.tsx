import type { z } from 'zod';
import { type Category, CategoryTree } from '../../catalog/index.ts';
import { words } from '../../kernel/text/fold.ts';
import { type Answer, clip, type PageRequest } from '../../web/index.ts';
import {
  ChoiceList,
  type Choosable,
  MAX_CHOSEN,
  MAX_FOUND,
  type PickerProps,
  searchOf,
  sentIds,
} from './choices.tsx';

/** A category with its path from the root. */
export interface CategoryPlace {
  readonly category: z.output<typeof Category>;
  /** Levels above it: 0 for a root. */
  readonly depth: number;
  /** Names from the root down, its own included. */
  readonly path: readonly string[];
}

/** Largest tree that a picker shows as a whole, without a search. */
const MAX_TREE = 24;
/** Longest label of a category, in UTF-16 units. */
const MAX_LABEL = 50;

/** Loads all categories, hidden ones included, in the order of the tree. */
export async function loadCategories(request: PageRequest): Promise<Answer<CategoryPlace[]>> {
  const tree = await request.api({ path: '/v1/categories?hidden=true', answer: CategoryTree });
  return tree.ok ? { ok: true, value: placesOf(tree.value.data) } : tree;
}

/** Returns categories with their descendants, each parent before its children. */
export const placesOf = (
  categories: readonly z.output<typeof Category>[],
  above: readonly string[] = [],
): CategoryPlace[] =>
  categories.flatMap((category) => {
    const path = [...above, category.name];
    return [{ category, depth: above.length, path }, ...placesOf(category.children, path)];
  });

/** Returns a category's path as text, its middle left out when it is long: "Clothing › … › Shirts". */
export function pathText(path: readonly string[]): string {
  const text = path.join(' › ');
  if (text.length <= MAX_LABEL || path.length === 1) return clip(text, MAX_LABEL);
  const ends = [path[0] ?? '', path.at(-1) ?? ''].map((name) => clip(name, MAX_LABEL / 2 - 4));
  return ends.join(path.length > 2 ? ' › … › ' : ' › ');
}

const byPath = ({ category, path }: CategoryPlace): Choosable => ({ id: category.id, label: pathText(path) });

const byName = ({ category, depth }: CategoryPlace): Choosable => ({
  id: category.id,
  label: clip(category.name, MAX_LABEL),
  depth,
  ...(category.hidden && { detail: 'hidden' }),
});

/** Returns whether each word of `q` begins a word of the path, of which at least one belongs to the name. */
function matches({ category, path }: CategoryPlace, q: string): boolean {
  const wanted = words(q);
  const begins = (names: readonly string[]) => {
    const found = names.flatMap((name) => words(name));
    return (word: string) => found.some((one) => one.startsWith(word));
  };
  return wanted.every(begins(path)) && wanted.some(begins([category.name]));
}

interface CategoryPickerProps extends PickerProps {
  /** What {@link loadCategories} has loaded. */
  readonly categories: readonly CategoryPlace[];
  /** The stored choice, shown until the form is submitted. */
  readonly stored: readonly number[];
  /** Ids that can't be chosen. */
  readonly except?: ReadonlySet<number>;
}

/**
 * A picker for one or several categories. A small tree is shown as a whole; of a large one, what the search
 * finds. Read the choice with `pickedIds` or `pickedId`.
 */
export const CategoryPicker = ({ categories, stored, except, ...props }: CategoryPickerProps) => {
  const { f, name } = props;
  const ids = new Set(sentIds(f, name) ?? stored);
  const available = categories.filter(({ category }) => !except?.has(category.id));
  const chosen = available.filter(({ category }) => ids.has(category.id));
  if (available.length <= MAX_TREE) return <WholeTree {...props} all={available} chosen={chosen} />;
  const q = searchOf(f, name);
  const found = q
    ? available.filter((place) => matches(place, q))
    : available.filter(({ depth }) => depth === 0);
  return (
    <ChoiceList
      {...props}
      chosen={chosen.slice(0, MAX_CHOSEN).map(byPath)}
      rest={chosen.slice(MAX_CHOSEN).map(({ category }) => category.id)}
      offered={found.slice(0, MAX_FOUND).map(byPath)}
      note={noteOf(q, found.length, available.length)}
      search="Search categories"
    />
  );
};

interface WholeTreeProps extends PickerProps {
  readonly all: readonly CategoryPlace[];
  readonly chosen: readonly CategoryPlace[];
}

/** The tree as checkboxes or radio buttons, with the chosen ones in their places. */
const WholeTree = ({ all, chosen, ...props }: WholeTreeProps) => (
  <ChoiceList
    {...props}
    chosen={[]}
    inPlace={new Set(chosen.map(({ category }) => category.id))}
    offered={all.map(byName)}
    note={all.length === 0 ? 'There are no categories yet.' : undefined}
  />
);

function noteOf(q: string, found: number, all: number): string | undefined {
  if (q === '') return `${all} categories in all. Search for one by its name.`;
  if (found === 0) return `No category matches “${clip(q, 40)}”.`;
  return found > MAX_FOUND ? `${found - MAX_FOUND} more match. Type more to find them.` : undefined;
}
