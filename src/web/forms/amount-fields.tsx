import { z } from 'zod';
import { type Amount, amountText, exponent } from '../../kernel/values/money.ts';
import type { Filled } from '../page.ts';
import { Field } from './form.tsx';
import { halfWidth, THOUSANDS } from './form-schemas.ts';
import { describedBy, errorsOf, FieldErrors, Hints, ownErrorsOf } from './hints.tsx';
import { labelled } from './summary.tsx';

/** The field that says how an amount was stored: as one number for all currencies, or by currency. */
const shapeOf = (name: string): string => `${name}-shape`;

interface AmountProps {
  readonly f: Filled;
  readonly name: string;
  readonly label: string;
  /** The currencies that the tenant sells in, the main one first. */
  readonly currencies: readonly string[];
  readonly value: Amount | null | undefined;
  readonly hint?: string;
  readonly required?: boolean;
}

/** Fields for an amount, `name.EUR`: one for each currency. Read them with {@link withAmounts}. */
export const AmountFields = ({ f, name, label, currencies, value, hint, required }: AmountProps) => {
  const own = ownErrorsOf(f, name);
  const shape = f.request.sent[shapeOf(name)]?.[0] ?? storedShape(value);
  const [main = '', ...others] = currencies;
  return (
    <div class="amounts" id={labelled({ f, name, label })}>
      {shape && <input type="hidden" name={shapeOf(name)} value={shape} />}
      {others.length === 0 ? (
        <Field
          f={withErrors(f, `${name}.${main}`, own)}
          name={`${name}.${main}`}
          label={`${label} (${main})`}
          value={inCurrency(value, main)}
          hint={hint}
          required={required}
          attributes={{ inputmode: 'decimal', maxlength: 20 }}
        />
      ) : (
        <fieldset aria-describedby={describedBy({ f, name, hint, errors: own })}>
          <legend>{label}</legend>
          <Hints f={f} name={name} hint={hint} errors={own} />
          <div class="pair">
            {currencies.map((currency) => (
              <CurrencyField f={f} name={`${name}.${currency}`} currency={currency} value={value} />
            ))}
          </div>
        </fieldset>
      )}
    </div>
  );
};

/** Returns how an amount is stored: one for the main currency, or one for each; undefined for none. */
function storedShape(value: Amount | null | undefined): 'number' | 'object' | undefined {
  if (typeof value === 'number') return 'number';
  return value ? 'object' : undefined;
}

/** Returns the form's state with further errors of a field: an amount's own belong to its only field. */
const withErrors = ({ request, formError }: Filled, field: string, messages: readonly string[]): Filled => {
  if (!formError || messages.length === 0) return { request, formError };
  const errors = { ...formError.errors, [field]: [...messages, ...(formError.errors[field] ?? [])] };
  return { request, formError: { ...formError, errors } };
};

const inCurrency = (amount: Amount | null | undefined, currency: string): string =>
  amountText(typeof amount === 'number' ? amount : amount?.[currency], currency);

interface CurrencyFieldProps extends Pick<AmountProps, 'f' | 'name' | 'value'> {
  readonly currency: string;
}

/** One currency of several, within its label: a page may have many of them. */
const CurrencyField = ({ f, name, currency, value }: CurrencyFieldProps) => (
  <label class="field">
    {currency}
    <input
      id={labelled({ f, name, label: currency })}
      name={name}
      value={(f.request.sent[name]?.[0] ?? inCurrency(value, currency)) || undefined}
      inputmode="decimal"
      aria-invalid={errorsOf({ f, name }).length > 0 ? 'true' : undefined}
    />
    <FieldErrors f={f} name={name} />
  </label>
);

/** Returns what is wrong with the text of an amount: "1.000" may be a thousand where there are fewer decimals. */
export function amountProblem(typed: string, currency: string): string | null {
  const text = halfWidth(typed);
  if (text === '') return null;
  if (!/^\d{1,13}([.,]\d{1,6})?$/.test(text)) return 'must be a number, such as 4.90';
  const isThousands = /,\d{3}$/.test(text) || (exponent(currency) < 3 && /\.\d\d0$/.test(text));
  return isThousands ? THOUSANDS : null;
}

/** Returns the amounts that are typed into fields by currency, with an issue for each that can't be read. */
function typedAmounts(fields: Readonly<Record<string, string>>, context: z.RefinementCtx) {
  const named: Record<string, number> = {};
  for (const [currency, sent] of Object.entries(fields)) {
    const text = halfWidth(sent.trim());
    const message = amountProblem(text, currency);
    if (message !== null) context.addIssue({ code: 'custom', path: [currency], message });
    else if (text !== '') named[currency] = Number(text.replace(',', '.'));
  }
  return named;
}

/** Parses the fields of one amount: null if all are empty. */
const amount = z.record(z.string(), z.string()).transform((fields, context): Amount | null => {
  const { shape, ...currencies } = fields;
  const named = typedAmounts(currencies, context);
  const values = Object.values(named);
  if (values.length === 0) return null;
  const same = new Set(values).size === 1 && values.length === Object.keys(currencies).length;
  return same && shape !== 'object' ? (values[0] ?? null) : named;
});

/** Parses the fields of independent amounts by currency, without those that are empty. */
const amounts = z
  .record(z.string(), z.string())
  .transform(({ shape: _, ...currencies }, context) => typedAmounts(currencies, context));

const requiredAmount = amount.transform((value, context): Amount => {
  if (value !== null) return value;
  context.addIssue({ code: 'custom', message: 'is required' });
  return z.NEVER;
});

/** The schemas of an amount of a form: null if its fields are empty, or required, or always an object by currency. */
export const amountField = { optional: amount, required: requiredAmount, byCurrency: amounts };

/**
 * Makes a form's or a row's schema read amounts: fields such as `price.EUR` become the amount `price`. `names` are
 * the amounts of the schema, which it declares with {@link amountField}.
 */
export const withAmounts = <Schema extends z.ZodType>(schema: Schema, names: readonly string[]) =>
  z.preprocess((form) => gathered(form, names), schema);

/** Returns whether a field is an amount's in a currency: `price.EUR`. */
const isCurrencyOf = (name: string, field: string): boolean =>
  field.startsWith(`${name}.`) && /^[A-Z]{3}$/.test(field.slice(name.length + 1));

function gathered(form: unknown, names: readonly string[]): unknown {
  if (typeof form !== 'object' || form === null) return form;
  const amounts = new Map(names.map((name) => [name, {} as Record<string, unknown>]));
  const others = Object.entries(form).filter(([field, value]) => {
    const name = names.find((one) => field === shapeOf(one) || isCurrencyOf(one, field));
    if (name === undefined) return true;
    // The currency, or "shape".
    Object.assign(amounts.get(name) ?? {}, { [field.slice(name.length + 1)]: value });
    return false;
  });
  return { ...Object.fromEntries(others), ...Object.fromEntries(amounts) };
}
