import { z } from 'zod';
import { PRODUCT_TYPES, type ProductType } from '../../../../catalog/index.ts';
import { fieldErrors } from '../../../../kernel/http/problem.ts';
import {
  amountField,
  checked,
  type FormError,
  lines,
  optional,
  optionalText,
  price,
  renameErrors,
  wholeNumber,
  withAmounts,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { pickedIds } from '../../../pickers/choices.tsx';
import { pictureFiles } from '../../../pictures.tsx';
import { GeneralFields } from '../sections/general-form.ts';
import { pictureRows } from '../sections/pictures.tsx';
import { fileRows } from '../types/files.tsx';
import { newItems } from '../types/group-fields.tsx';
import { newMembers } from '../types/members.tsx';
import { apiSlots, SlotForm } from '../types/slot-fields.tsx';
import { combine, skusFor } from '../variants/combinations.ts';
import { fullOptions, optionRows, optionsProblem } from '../variants/option-fields.tsx';

/** The form of a new product. Only its files and lists are read here; {@link readNewProduct} reads the rest. */
export const NewProductFields = z.looseObject({
  type: z.enum(PRODUCT_TYPES),
  images: pictureRows,
  files: pictureFiles,
  category_ids: pickedIds,
  tags: lines,
});
export type NewProductFields = z.output<typeof NewProductFields>;

/** The form of a product's variants, which begin alike. */
const VariantFields = z.object({
  options: optionRows,
  name: z.string(),
  sku: z.string().trim(),
  variant_price: price,
  variant_prices: amountField.byCurrency,
  variant_stock: optional(wholeNumber),
});

const none = z.looseObject({}).transform((): Values => ({}));

/** Returns the variants of a new product: one for each combination of its options. */
function newVariants(form: z.output<typeof VariantFields>, context: z.RefinementCtx): Values {
  const { name, sku, variant_price, variant_prices, variant_stock } = form;
  const options = fullOptions(form.options);
  const problem = optionsProblem(options);
  if (problem) context.addIssue({ code: 'custom', path: ['options'], message: problem.formError.message });
  const { combinations } = combine({ options: [], variants: [] }, problem ? [] : options, {
    all: true,
    renames: true,
  });
  const attributes = combinations.map((combination) => combination.attributes);
  const skus = skusFor(sku || skusFor('', [{ name }], new Set())[0] || '', attributes, new Set());
  const variants = attributes.map((values, n) => ({
    sku: skus[n],
    price: variant_price,
    prices: variant_prices,
    stock: variant_stock ?? 0,
    attributes: values,
  }));
  return { price: variant_price, variants };
}

/** What the form of a type has besides the common fields, as fields of the API. */
const TYPE_FIELDS: Readonly<Record<ProductType, z.ZodType<Values>>> = {
  simple: none,
  virtual: none,
  downloadable: z.object({ links: fileRows }).transform((values): Values => values),
  configurable: withAmounts(VariantFields, ['variant_prices']).transform(newVariants),
  grouped: z.object({ add: pickedIds }).transform(({ add }): Values => ({ grouped: newMembers(add) })),
  bundled: z.object({ title: optionalText, required: checked, multiple: checked, add: pickedIds }).transform(
    ({ title, add, ...choice }): Values => ({
      bundle_groups: [{ ...choice, title: title ?? '', items: newItems(add) }],
    }),
  ),
  booking: SlotForm.transform(
    ({ timezone, slots }): Values => ({ booking: { timezone, slots: apiSlots(slots, timezone) } }),
  ),
};

/** Returns the API's body of a new product's form, or the errors by field. */
export function readNewProduct(
  form: NewProductFields,
): { body: Values } | { errors: Record<string, string[]> } {
  const { type, category_ids, tags, images, files: _, ...fields } = form;
  const [common, own] = [GeneralFields.safeParse(fields), TYPE_FIELDS[type].safeParse(fields)];
  if (!common.success || !own.success) {
    const errors = [common, own].map(({ error }) => (error ? fieldErrors(error, 'form') : {}));
    return { errors: Object.assign({}, ...errors) };
  }
  const given = Object.entries(common.data).filter(([, value]) => value !== '' && value !== null);
  return { body: { ...Object.fromEntries(given), ...own.data, type, category_ids, tags, images } };
}

/** Maps the API's error paths to fields of the form. */
const FIELD_OF: readonly (readonly [path: RegExp, field: string])[] = [
  [/^booking\./, ''],
  [/^bundle_groups\.0\.items.*/, 'add'],
  [/^bundle_groups\.0\./, ''],
  [/^(grouped|bundle_groups)$/, 'add'],
  [/^variants(\.\d+\.(sku|attributes).*)?$/, 'options'],
  [/^variants\.\d+\./, 'variant_'],
];

/** Names the API's errors after the form's fields. */
export const newProductError = (formError: FormError): FormError =>
  renameErrors(formError, (path) =>
    FIELD_OF.reduce((field, [pattern, replacement]) => field.replace(pattern, replacement), path),
  );
