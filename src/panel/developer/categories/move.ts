import { z } from 'zod';
import { asFormError, type Outcome, type PageRequest } from '../../../web/index.ts';
import { type CategoryPlace, loadCategories } from '../../pickers/category-picker.tsx';
import { pickedId } from '../../pickers/choices.tsx';
import { openPath, siblingsOf } from './tree.tsx';

/**
 * A move in the tree, of a category to a `side` of another one: before it, after it, or into it as its last child. A
 * button names all three in its `step`, such as `7 before 5`; so a move that is sent twice leads to the same place.
 */
export const MoveForm = z.object({
  step: z
    .string()
    .regex(/^\d{1,15} (before|after) \d{1,15}$/)
    .optional(),
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
  const [id, way, other] = move.step?.split(' ') ?? [move.moved, move.side, move.target];
  const find = (wanted: unknown) => places.find(({ category }) => category.id === Number(wanted))?.category;
  const [category, target] = [find(id), find(other)];
  if (!category || !target || target === category) return null;
  // A step stays among the siblings, though another move has parted them meanwhile.
  if (move.step && target.parent_id !== category.parent_id) return null;
  if (way === 'into') return { id: category.id, body: { parent_id: target.id, position: LAST } };
  const others = siblingsOf(places, target.parent_id).filter((sibling) => sibling !== category);
  const position = others.indexOf(target) + (way === 'after' ? 1 : 0);
  return { id: category.id, body: { parent_id: target.parent_id, position } };
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
