import { z } from 'zod';
import {
  checked,
  Form,
  type FormError,
  formPages,
  type Outcome,
  type Page,
  type PageRequest,
  renameErrors,
  Tick,
} from '../../../../web/index.ts';
import { writeShown } from '../../../editing/changes.ts';
import { EditedParts, resolveEdit } from '../../../editing/save-edit.tsx';
import type { ProductPart } from '../editor/save-section.ts';
import { leaveForeignTab, productView } from '../editor/section.tsx';
import {
  type Item,
  loadProduct,
  ordinaryPrice,
  pricesAsRead,
  productPath,
  root,
  type Variant,
} from '../product.tsx';
import { type Combined, combine, type OptionDraft, skusFor } from './combinations.ts';
import { fullOptions, OptionFields, optionRows, optionsProblem } from './option-fields.tsx';
import { askToRemove } from './removal.tsx';

const OptionsChange = z.object({
  options: optionRows,
  all: checked,
  _confirmed: checked,
});

/** An option as the form edits it, without the name that it had. */
type ShownOption = Pick<OptionDraft, 'name' | 'values'>;

const shownOptions = (options: readonly ShownOption[]): ShownOption[] =>
  options.map(({ name, values }) => ({ name, values }));

/** The options are one part: names, values and their places decide together which variants stay. */
const PARTS: readonly ProductPart[] = [
  {
    key: 'options',
    label: 'Options',
    of: ({ options }) => shownOptions(options),
    // Both values are made by shownOptions().
    say: (value) =>
      (value as ShownOption[]).map(({ name, values }) => `${name}: ${values.join(', ')}`).join('; '),
  },
];

async function optionsPage(request: PageRequest, formError: FormError | null) {
  const answer = await loadProduct(request);
  if (!answer.ok) return answer;
  const product = answer.value;
  const elsewhere = formError ? null : leaveForeignTab(product, '/variants');
  if (elsewhere) return elsewhere;
  const f = { request, formError };
  const edit = (
    <Form request={request} action={`${root}/${product.id}/options`} submit="Change the options">
      <EditedParts f={f} parts={PARTS} stored={product} />
      <OptionFields f={f} options={product.options} />
      <p class="hint">
        Existing variants stay. To rename a value, replace it in its line. Variants of a removed value are
        removed after you confirm it.
      </p>
      <Tick f={f} name="all" label="Also make combinations that were removed before" on={false} />
    </Form>
  );
  return productView(product, '/variants', edit);
}

/**
 * Changes the options of a product. Asks first if someone else has changed them since the form was shown, and if that
 * removes variants.
 */
async function changeOptions(request: PageRequest, input: z.output<typeof OptionsChange>): Promise<Outcome> {
  const { all, _confirmed } = input;
  const answer = await loadProduct(request);
  if (!answer.ok) return answer;
  const product = answer.value;
  const drafts = fullOptions(input.options, product.options);
  const problem = optionsProblem(drafts);
  if (problem) return problem;
  const edit = resolveEdit(request, product, { parts: PARTS, values: { options: shownOptions(drafts) } });
  if ('formError' in edit) return edit;
  const { isForced, note } = edit;
  const kept = product.options.map(({ name, values }): OptionDraft => ({ was: name, name, values }));
  const options = 'options' in edit.changed ? drafts : kept;
  const variants = product.variants ?? [];
  // The places of values are those of options that are replaced: they rename nothing.
  const combined = combine({ options: product.options, variants }, options, { all, renames: !isForced });
  const { dropped } = combined;
  if (dropped.length > 0 && !_confirmed) {
    const submit = 'Remove them and change the options';
    const fields = <Compared product={product} isForced={isForced} />;
    return { view: askToRemove(request, product, { dropped, submit, fields }) };
  }
  const to = `${root}/${product.id}/variants`;
  // As for the same form sent again.
  if (keepsVariants(variants, combined)) return { to, note };
  const changed = await request.api({
    method: 'PATCH',
    path: productPath(request),
    match: answer.etag,
    body: { variants: variantsOf(product, combined) },
  });
  if (changed.ok) return { to, note };
  // New variants get their SKUs from their options.
  return { formError: renameErrors(changed.formError, (path) => (path === 'sku' ? 'options' : path)) };
}

/** Returns whether combinations are the stored variants, in their order. */
const keepsVariants = (variants: readonly Variant[], { combinations }: Combined<Variant>): boolean =>
  combinations.length === variants.length &&
  combinations.every(
    ({ known, attributes }, n) =>
      known?.id === variants[n]?.id && JSON.stringify(known?.attributes) === JSON.stringify(attributes),
  );

/** Returns the lowest price of variants in each of the other currencies in which one of them is sold. */
function lowestPrices(variants: readonly Variant[]): Record<string, number> {
  const lowest: Record<string, number> = {};
  for (const { prices = {} } of variants)
    for (const [currency, price] of Object.entries(prices))
      lowest[currency] = Math.min(price, lowest[currency] ?? price);
  return lowest;
}

/** Returns the variants of combinations as the API takes them; new ones have the lowest prices and no stock. */
function variantsOf({ sku, variants = [] }: Item, { combinations }: Combined<Variant>) {
  const fresh = combinations.filter(({ known }) => known === null).map(({ attributes }) => attributes);
  const skus = skusFor(sku, fresh, new Set(variants.map((variant) => variant.sku)));
  const price = Math.min(...variants.map(ordinaryPrice));
  const prices = lowestPrices(variants);
  return combinations.map(({ known, attributes }) =>
    known
      ? { id: known.id, attributes, ...pricesAsRead(known) }
      : { sku: skus.shift(), attributes, price, prices, stock: 0 },
  );
}

/** Fields of the question that keep what the options were compared with, and the choice to replace them. */
const Compared = ({ product, isForced }: { readonly product: Item; readonly isForced: boolean }) => (
  <>
    <input type="hidden" name="_shown" value={writeShown(PARTS, product)} />
    {isForced && <input type="hidden" name="_resolve" value="mine" />}
  </>
);

/** The pages that change a product's options. */
export const optionPages: readonly Page[] = formPages(
  { path: `${root}/:id/options`, audience: 'developer', form: OptionsChange },
  optionsPage,
  changeOptions,
);
