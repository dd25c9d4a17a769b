import type { Child } from 'hono/jsx';
import { asFormError, clip, type Outcome, type PageRequest, type View } from '../../../../web/index.ts';
import { confirmView, HiddenValues } from '../../../confirm.tsx';
import { countOf } from '../../../count-of.ts';
import type { Values } from '../../../editing/changes.ts';
import { type Item, loadProduct, root } from '../product.tsx';
import { nameOf } from './variant-name.ts';

/** Variants that the question names. */
const MAX_NAMED = 12;

/** The variants that a form removes. */
interface Removal {
  readonly dropped: Readonly<NonNullable<Item['variants']>>;
  /** The label of the button that removes them. */
  readonly submit: string;
  /** Hidden fields that are not among the form's own. */
  readonly fields: Child;
}

/** Returns the question whether variants are to be removed. Its form submits the fields again, as confirmed. */
export function askToRemove(request: PageRequest, product: Item, { dropped, submit, fields }: Removal): View {
  const { id, name } = product;
  const stock = dropped.reduce((sum, variant) => sum + variant.stock, 0);
  const names = dropped.slice(0, MAX_NAMED).map(nameOf);
  const typed = Object.entries(request.sent).filter(([field]) => !/^_(?!list\.)/.test(field));
  return confirmView(request, {
    title: `Remove ${countOf(dropped.length, 'variant')} of ${clip(name, 60)}?`,
    trail: [
      [root, 'Products'],
      [`${root}/${id}/variants`, clip(name, 60)],
    ],
    body: (
      <p>
        {dropped.length === 1 ? 'This variant and its' : 'These variants and their'} stock of {stock} are
        removed from the shop: {names.join('; ')}
        {dropped.length > MAX_NAMED && ` and ${dropped.length - MAX_NAMED} more`}. Orders keep what was
        bought.
      </p>
    ),
    fields: (
      <>
        <HiddenValues of={Object.fromEntries(typed)} />
        {fields}
        <input type="hidden" name="_confirmed" value="1" />
      </>
    ),
    submit,
    keep: [`${root}/${id}/variants`, 'Keep the variants'],
  });
}

/** The fields by which the grid knows its rows, and what they were shown with. */
const GRID_FIELDS = ['_shown', '_slice', '_page', '_resolve'];

const NONE_LEFT =
  'At least one variant must be left. To stop selling the product, set it to inactive or delete it.';

/**
 * Returns the question about the variants that are ticked in the grid, or the error if these are all; null without any,
 * or once it is confirmed.
 */
export async function askAboutTicked(request: PageRequest, values: Values): Promise<Outcome | null> {
  const isTicked = ({ id }: { readonly id: number }) => values[`drop-${id}`] === true;
  if (request.sent._confirmed || !Object.keys(values).some((field) => field.startsWith('drop-'))) return null;
  const answer = await loadProduct(request);
  if (!answer.ok) return answer;
  const { variants = [] } = answer.value;
  const dropped = variants.filter(isTicked);
  if (dropped.length === 0) return null;
  if (dropped.length === variants.length) return asFormError(NONE_LEFT);
  const kept = GRID_FIELDS.map((name) => [name, request.sent[name] ?? []] as const);
  const fields = <HiddenValues of={Object.fromEntries(kept)} />;
  return {
    view: askToRemove(request, answer.value, { dropped, submit: 'Remove them and save the others', fields }),
  };
}
