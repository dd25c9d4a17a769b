import type { Outcome, PageRequest } from '../../../../web/index.ts';
import type { EditPart, Values } from '../../../editing/changes.ts';
import { saveEdit } from '../../../editing/save-edit.tsx';
import { priceErrors } from '../price-errors.ts';
import { type Item, loadProduct, productPath } from '../product.tsx';

/** A part of a product that a form edits. */
export type ProductPart = EditPart<Item>;

/** What a form of a product edits, and how it is saved. */
interface ProductEditing {
  /** Returns the parts of the form, which may depend on the product. */
  parts(product: Item): readonly ProductPart[];
  /** The form's values by the parts' keys. */
  readonly values: Values;
  /** Returns errors by field where the product as it is now forbids the form's values. */
  check?(product: Item): Readonly<Record<string, string[]>>;
  /** Returns the API's patch for changed parts; by default the parts themselves. */
  patch?(product: Item, changed: Values): object;
}

/** Saves what a form changed of the request's product, as {@link saveEdit} does. */
export const saveSection = (request: PageRequest, editing: ProductEditing): Promise<Outcome> =>
  saveEdit(request, {
    ...editing,
    check: (product) => ({ ...priceErrors(request), ...editing.check?.(product) }),
    path: productPath(request),
    load: () => loadProduct(request),
  });
