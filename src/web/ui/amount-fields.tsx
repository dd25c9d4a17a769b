import { z } from 'zod';
import type { Amount } from '../../kernel/core/money.ts';
import { Field, type Filled } from './form.tsx';
import { labelled } from './summary.tsx';

/** The part of an amount's fields that says how it was stored: one number for all currencies, or by currency. */
const SHAPE = 'shape';

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
  const own = f.trouble?.errors[name] ?? [];
  const field = (currency: string, of: string) => (
    <Field
      f={f}
      name={`${name}.${currency}`}
      label={of}
      value={typeof value === 'number' ? value : (value?.[currency] ?? '')}
      {...(hint && currencies.length === 1 && { hint })}
      {...(required && { required })}
      attributes={{ inputmode: 'decimal', maxlength: 20 }}
    />
  );
  const shape = typeof value === 'number' ? 'number' : value ? 'object' : null;
  const [main = '', ...others] = currencies;
  return (
    <div class="amounts" id={labelled({ f, name, label })}>
      {shape && <input type="hidden" name={`${name}.${SHAPE}`} value={shape} />}
      {others.length === 0 ? (
        field(main, `${label} (${main})`)
      ) : (
        <fieldset>
          <legend>{label}</legend>
          {hint && <small class="hint">{hint}</small>}
          <div class="row">{currencies.map((currency) => field(currency, currency))}</div>
        </fieldset>
      )}
      {own.length > 0 && <strong class="error">{own.join('; ')}</strong>}
    </div>
  );
};

/** Parses the fields of one amount: null if all are empty. */
const amount = z.record(z.string(), z.string()).transform((fields, context): Amount | null => {
  const { [SHAPE]: shape, ...currencies } = fields;
  const named: Record<string, number> = {};
  for (const [currency, text] of Object.entries(currencies)) {
    if (text.trim() === '') continue;
    if (/^\d{1,13}([.,]\d{1,6})?$/.test(text.trim())) named[currency] = Number(text.trim().replace(',', '.'));
    else context.addIssue({ code: 'custom', path: [currency], message: 'must be a number, such as 4.90' });
  }
  const values = Object.values(named);
  if (values.length === 0) return null;
  const same = new Set(values).size === 1 && values.length === Object.keys(currencies).length;
  return same && shape !== 'object' ? (values[0] ?? null) : named;
});

/** An amount that a form requires. */
const requiredAmount = amount.transform((value, context): Amount => {
  if (value !== null) return value;
  context.addIssue({ code: 'custom', message: 'is required' });
  return z.NEVER;
});

/** The schema of an amount of a form: null if its fields are empty, or required. */
export const amountField = { optional: amount, required: requiredAmount };

/**
 * Makes a form's or a row's schema read amounts: fields such as `price.EUR` become the amount `price`. `names` are
 * the amounts of the schema, which it declares with {@link amountField}.
 */
export const withAmounts = <Schema extends z.ZodType>(schema: Schema, names: readonly string[]) =>
  z.preprocess((form) => gathered(form, names), schema);

function gathered(form: unknown, names: readonly string[]): unknown {
  if (typeof form !== 'object' || form === null) return form;
  const amounts = new Map(names.map((name) => [name, {} as Record<string, unknown>]));
  const others = Object.entries(form).filter(([field, value]) => {
    const name = names.find(
      (one) => field.startsWith(`${one}.`) && /^[a-zA-Z]+$/.test(field.slice(one.length + 1)),
    );
    if (name === undefined) return true;
    Object.assign(amounts.get(name) ?? {}, { [field.slice(name.length + 1)]: value });
    return false;
  });
  return { ...Object.fromEntries(others), ...Object.fromEntries(amounts) };
}
