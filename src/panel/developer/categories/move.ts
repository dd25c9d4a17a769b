import { z } from 'zod';
import { asFormError, type Outcome, type PageRequest } from '../../../web/index.ts';
import { type CategoryPlace, loadCategories } from '../../pickers/category-picker.tsx';
import { pickedId } from '../../pickers/choices.tsx';
import { openPath, siblingsOf } from './tree.tsx';

/**
 * A move in the tree: one place `up` or `down`; or, dragged, to a `side` of a target category: before it, after
 * it, or into it as its last child.
 */
export const MoveForm = z.object({
  up: pickedId,
  down: pickedId,
  moved: pickedId,
  target: pickedId,
  side: z.enum(['before', 'after', 'into', '']).default(''),
});
type Move = z.output<typeof MoveForm>;

/** Where a category goes: the body of the API's request. */
interface Destination {
  readonly id: number;
  readonly body: { readonly parent_id?: number | null; readonly position: number };
}

/** A place beyond the last one. */
const LAST = 1_000_000;

/** Returns where a move leads, or null when its categories are gone or it leads nowhere. */
function destinationOf(places: readonly CategoryPlace[], move: Move): Destination | null {
  const id = move.up ?? move.down ?? move.moved;
  const find = (wanted: number | null) => places.find(({ category }) => category.id === wanted)?.category;
  const category = find(id);
  if (id === null || !category) return null;
  if (move.up !== null || move.down !== null) {
    const place = siblingsOf(places, category.parent_id).indexOf(category);
    return { id, body: { position: Math.max(0, place + (move.up === null ? 1 : -1)) } };
  }
  const target = find(move.target);
  if (!target || target === category) return null;
  if (move.side === 'into') return { id, body: { parent_id: target.id, position: LAST } };
  const others = siblingsOf(places, target.parent_id).filter((sibling) => sibling !== category);
  const position = others.indexOf(target) + (move.side === 'after' ? 1 : 0);
  return { id, body: { parent_id: target.parent_id, position } };
}

/** Moves a category, and shows it where it is then. */
export async function moveCategory(request: PageRequest, move: Move): Promise<Outcome> {
  const categories = await loadCategories(request);
  if (!categories.ok) return categories;
  const destination = destinationOf(categories.value, move);
  if (!destination) return asFormError('The category was not moved: the tree has changed meanwhile.');
  const { id, body } = destination;
  const moved = await request.api({ method: 'PATCH', path: `/v1/categories/${id}`, body });
  return moved.ok ? { to: openPath(id), note: 'moved' } : moved;
}
