import { z } from 'zod';
import { MAX_VARIANTS } from '../../../../catalog/index.ts';
import {
  Area,
  asTrouble,
  clip,
  Field,
  type Filled,
  Form,
  lines,
  Rows,
  rowsOf,
} from '../../../../web/index.ts';
import { type Item, root } from '../product.tsx';
import { countCombinations, type OptionDraft } from './combinations.ts';

const OptionRow = z.object({
  was: z.string().transform((name) => name || null),
  name: z.string().trim().min(1, 'is required'),
  values: lines.transform((values) => [...new Set(values)]).refine((all) => all.length > 0, 'is required'),
});

/** The rows of options. */
export const optionRows = rowsOf(OptionRow, ['name', 'values']);

/** The fields of a product's options. */
export const OptionFields = ({ f, options }: { f: Filled; options: Item['options'] }) => (
  <Rows
    f={f}
    name="options"
    legend="Options"
    one="option"
    hint="What shoppers choose, such as the size. A variant is made for each combination"
    rows={options}
    counted={['name', 'values']}
    ordered
  >
    {({ f: row, at, row: option }) => (
      <>
        <input
          type="hidden"
          name={at('was')}
          value={option?.name ?? row.request.sent[at('was')]?.[0] ?? ''}
        />
        <Field
          f={row}
          name={at('name')}
          label="Option"
          value={option?.name ?? null}
          attributes={{ maxlength: 50, placeholder: 'Size' }}
        />
        <Area
          f={row}
          name={at('values')}
          label="Values, one per line"
          value={option?.values.join('\n') ?? null}
        />
      </>
    )}
  </Rows>
);

/** The form that changes a product's options. */
export const OptionsForm = ({ f, product }: { f: Filled; product: Item }) => (
  <details class="card" open={f.request.c.req.path.endsWith('/options')}>
    <summary>Options: {clip(product.options.map(({ name }) => name).join(', '), 80)}</summary>
    <Form request={f.request} action={`${root}/${product.id}/options`} submit="Change the options" bare>
      <OptionFields f={f} options={product.options} />
      <p class="hint">
        Existing variants stay. To rename a value, replace it in its line. Variants of a removed value are
        removed after you confirm it.
      </p>
      <p class="field">
        <label class="check">
          <input type="checkbox" name="all" value="1" checked={f.request.sent.all !== undefined} />
          <span>Also make combinations that were removed before</span>
        </label>
      </p>
    </Form>
  </details>
);

/** Returns the problem of options that can't be combined, or null. */
export function optionsProblem(options: readonly OptionDraft[]): ReturnType<typeof asTrouble> | null {
  if (options.length === 0) return asTrouble('Name at least one option with its values.', 422, 'options');
  const count = countCombinations(options);
  return count > MAX_VARIANTS
    ? asTrouble(
        `These options have ${count} combinations. A product has at most ${MAX_VARIANTS} variants.`,
        422,
        'options',
      )
    : null;
}
