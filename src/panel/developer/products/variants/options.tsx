import { z } from 'zod';
import {
  checked,
  clip,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Tick,
  type View,
} from '../../../../web/index.ts';
import { confirmView } from '../../../confirm.tsx';
import { countOf } from '../../../count-of.ts';
import { leaveForeignTab, productView } from '../editor/section.tsx';
import { type Item, loadProduct, ordinaryPrice, productPath, root } from '../product.tsx';
import { combine, skusFor } from './combinations.ts';
import type { Variant } from './grid.tsx';
import { fullOptions, OptionFields, optionRows, optionsProblem } from './option-fields.tsx';
import { nameOf } from './variant-name.ts';

const OptionsChange = z.object({
  options: optionRows,
  all: checked,
  _confirmed: checked,
});

/** The form of a product's options. */
async function optionsPage(request: PageRequest, formError: FormError | null) {
  const answer = await loadProduct(request);
  if (!answer.ok) return answer;
  const product = answer.value;
  const elsewhere = formError ? null : leaveForeignTab(product, '/variants');
  if (elsewhere) return elsewhere;
  const f = { request, formError };
  const edit = (
    <Form request={request} action={`${root}/${product.id}/options`} submit="Change the options">
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

/** Changes the options of a product. Asks first if that removes variants. */
async function changeOptions(request: PageRequest, input: z.output<typeof OptionsChange>): Promise<Outcome> {
  const { all, _confirmed } = input;
  const answer = await loadProduct(request);
  if (!answer.ok) return answer;
  const product = answer.value;
  const options = fullOptions(input.options, product.options);
  const problem = optionsProblem(options);
  if (problem) return problem;
  const variants = product.variants ?? [];
  const { combinations, dropped } = combine({ options: product.options, variants }, options, all);
  if (dropped.length > 0 && !_confirmed) return { view: askToDrop(request, product, dropped) };
  const fresh = combinations.filter(({ known }) => known === null).map(({ attributes }) => attributes);
  const skus = skusFor(product.sku, fresh, new Set(variants.map(({ sku }) => sku)));
  const price = Math.min(...variants.map(ordinaryPrice));
  const body = combinations.map(({ known, attributes }) =>
    known
      ? { id: known.id, attributes, price: ordinaryPrice(known) }
      : { sku: skus.shift(), attributes, price, stock: 0 },
  );
  const changed = await request.api({
    method: 'PATCH',
    path: productPath(request),
    match: answer.etag,
    body: { variants: body },
  });
  return changed.ok ? { to: `${root}/${product.id}/variants`, note: 'saved' } : changed;
}

/** Variants that the question names. */
const MAX_NAMED = 12;

/** Returns the question whether variants of removed values are to be removed. */
function askToDrop(request: PageRequest, product: Item, dropped: readonly Variant[]): View {
  const { id, name } = product;
  const stock = dropped.reduce((sum, variant) => sum + variant.stock, 0);
  const names = dropped.slice(0, MAX_NAMED).map(nameOf);
  return confirmView(request, {
    title: `Remove ${countOf(dropped.length, 'variant')} of ${clip(name, 60)}?`,
    trail: [
      [root, 'Products'],
      [`${root}/${id}/variants`, clip(name, 60)],
    ],
    body: (
      <p>
        These variants and their stock of {stock} are removed from the shop: {names.join('; ')}
        {dropped.length > MAX_NAMED && ` and ${dropped.length - MAX_NAMED} more`}. Orders keep what was
        bought.
      </p>
    ),
    fields: (
      <>
        {Object.entries(request.sent).flatMap(([field, values]) =>
          /^_(?!list\.)/.test(field)
            ? []
            : values.map((value) => <input type="hidden" name={field} value={value} />),
        )}
        <input type="hidden" name="_confirmed" value="1" />
      </>
    ),
    submit: 'Remove them and change the options',
    keep: [`${root}/${id}/variants`, 'Keep the variants'],
  });
}

const where = { path: `${root}/:id/options`, audience: 'developer' } as const;

/** The pages that change a product's options. */
export const optionPages: readonly Page[] = [
  getPage(where, optionsPage),
  form({ ...where, form: OptionsChange }, optionsPage, changeOptions),
];
