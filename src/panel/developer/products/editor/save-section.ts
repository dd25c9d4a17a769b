import type { Outcome, PageRequest } from '../../../../web/index.ts';
import type { EditPart } from '../../../editing/changes.ts';
import { type Editing, saveEdit } from '../../../editing/save-edit.tsx';
import { priceErrors } from '../price-errors.ts';
import { type Item, loadProduct, productPath } from '../product.tsx';

/** A part of a product that a form edits. */
export type ProductPart = EditPart<Item>;

/** What a form of a product edits, and how it is saved. */
type ProductEditing = Pick<Editing<Item>, 'parts' | 'values' | 'check' | 'patch' | 'fieldOf'>;

/** Saves what a form changed of the request's product, as {@link saveEdit} does. */
export const saveSection = (request: PageRequest, editing: ProductEditing): Promise<Outcome> =>
  saveEdit(request, {
    ...editing,
    check: (product) => ({ ...priceErrors(request), ...editing.check?.(product) }),
    path: productPath(request),
    load: () => loadProduct(request),
  });
