import { z } from 'zod';
import { MAX_VARIANTS } from '../../../../catalog/index.ts';
import { Area, asFormError, Field, type Filled, lines, Rows, rowsOf } from '../../../../web/index.ts';
import type { Item } from '../product.tsx';
import { countCombinations, type OptionDraft } from './combinations.ts';

/** Longest list of values that is edited as a whole, in UTF-16 units; to a longer one values are added. */
const MAX_INLINE_VALUES = 160;

const distinct = lines.transform((values) => [...new Set(values)]);

const OptionRow = z
  .object({
    was: z.string().transform((name) => name || null),
    name: z.string().trim().min(1, 'is required'),
    values: distinct.optional(),
    more: distinct.optional(),
  })
  .refine(({ values }) => values === undefined || values.length > 0, {
    path: ['values'],
    message: 'is required',
  });

/** An option of the form: all its values, or further ones of a stored option. */
type OptionInput = z.output<typeof OptionRow>;

/** Returns options with all their values. */
export const fullOptions = (options: readonly OptionInput[], stored: Item['options'] = []): OptionDraft[] =>
  options.map(({ was, name, values, more = [] }) => {
    const known = stored.find((option) => option.name === was)?.values ?? [];
    return { was, name, values: values ?? [...new Set([...known, ...more])] };
  });

/** The rows of options. */
export const optionRows = rowsOf(OptionRow, ['name', 'values']);

interface OptionProps {
  readonly f: Filled;
  /** Returns the name of one of the row's fields. */
  readonly at: (part: string) => string;
  /** The stored option; none for a new row. */
  readonly option: Item['options'][number] | undefined;
}

/** Returns whether an option has too many values to be edited as a whole. */
const isLong = ({ f: { request }, at, option }: OptionProps): boolean =>
  option ? option.values.join(' ').length > MAX_INLINE_VALUES : request.sent[at('more')] !== undefined;

const OneOption = (props: OptionProps) => {
  const { f, at, option } = props;
  return (
    <>
      <input type="hidden" name={at('was')} value={option?.name ?? f.request.sent[at('was')]?.[0] ?? ''} />
      <Field
        f={f}
        name={at('name')}
        label="Option"
        value={option?.name}
        attributes={{ maxlength: 50, placeholder: 'Size' }}
      />
      {isLong(props) ? (
        <Area
          f={f}
          name={at('more')}
          label="Further values, one per line"
          hint={`It has ${option?.values.length ?? 'many'} values. Remove variants in the list to remove theirs`}
        />
      ) : (
        <Area f={f} name={at('values')} label="Values, one per line" value={option?.values.join('\n')} />
      )}
    </>
  );
};

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
    {({ f: row, at, row: option }) => <OneOption f={row} at={at} option={option} />}
  </Rows>
);

/** Returns the problem of options that can't be combined, or null. */
export function optionsProblem(options: readonly OptionDraft[]): ReturnType<typeof asFormError> | null {
  if (options.length === 0) return asFormError('Name at least one option with its values.', 422, 'options');
  const count = countCombinations(options);
  return count > MAX_VARIANTS
    ? asFormError(
        `These options have ${count} combinations. A product has at most ${MAX_VARIANTS} variants.`,
        422,
        'options',
      )
    : null;
}
