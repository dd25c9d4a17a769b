import { z } from 'zod';
import { countryName } from '../../../kernel/values/countries.ts';
import { checked, decimal, type Outcome, type PageRequest, rowsOf } from '../../../web/index.ts';
import type { Values } from '../../editing/changes.ts';
import { pickedCountry } from '../../pickers/country-field.tsx';
import {
  atRow,
  changedRows,
  hiddenRowErrors,
  type KeyedList,
  refuseRepeated,
  submittedRows,
} from './keyed-rows.tsx';
import { type SettingsPart, type Stored, saveSettings } from './save-settings.ts';

/** The parts of a row that make it count. */
export const COUNTRY_PARTS = ['country', 'rate'] as const;
export const CLASS_PARTS = ['name', 'country', 'rate'] as const;

const CountryRate = z.object({ country: pickedCountry, rate: decimal });
const ClassRateRow = z.object({
  name: z.string().trim().min(1, 'is required'),
  country: z.union([z.literal(''), pickedCountry]),
  rate: decimal,
});

/** The form of tax rates. */
export const TaxForm = z.object({
  'tax.mode': z.string(),
  'tax.rate_percent': decimal,
  'tax.shipping_taxed': checked,
  'tax.rates_by_country': rowsOf(CountryRate, COUNTRY_PARTS).superRefine((rows, context) =>
    refuseRepeated({ rows, part: 'country', keyOf: ({ country }) => country }, context),
  ),
  'tax.rates_by_class': rowsOf(ClassRateRow, CLASS_PARTS).superRefine((rows, context) => {
    refuseRepeated(
      { rows, part: 'country', keyOf: ({ name, country }) => JSON.stringify([name, country]) },
      context,
    );
    for (const [n, { name }] of rows.entries()) {
      if (rows.some((row) => row.name === name && row.country === '')) continue;
      context.addIssue({ code: 'custom', path: [n, 'name'], message: 'needs a rate without a country too' });
    }
  }),
});
type TaxInput = z.output<typeof TaxForm>;

function byClass(rows: TaxInput['tax.rates_by_class']) {
  const classes = Map.groupBy(rows, ({ name }) => name);
  const rates = [...classes].map(([name, own]) => {
    const countries = own.flatMap(({ country, rate }) => (country === '' ? [] : [[country, rate] as const]));
    return [
      name,
      {
        rate_percent: own.find(({ country }) => country === '')?.rate ?? 0,
        ...(countries.length > 0 && { rates_by_country: Object.fromEntries(countries) }),
      },
    ] as const;
  });
  return Object.fromEntries(rates);
}

/** The rates by country. */
export const COUNTRY_RATES: KeyedList = {
  list: 'tax.rates_by_country',
  kind: 'country',
  labelOf: (code) => `Rate for ${countryName(code)}`,
  of: ({ tax }) => tax.rates_by_country,
};
/** The tax classes with their rates. */
export const TAX_CLASSES: KeyedList = {
  list: 'tax.rates_by_class',
  kind: 'class',
  labelOf: (name) => `Tax class ${name}`,
  of: ({ tax }) => tax.rates_by_class,
};

/** The parts of the form besides its lists. */
export const TAX_PARTS: readonly SettingsPart[] = [
  { key: 'mode', label: 'Your prices are', of: ({ tax }) => tax.mode },
  { key: 'rate_percent', label: 'Standard rate (percent)', of: ({ tax }) => tax.rate_percent },
  { key: 'shipping_taxed', label: 'Shipping is taxed', of: ({ tax }) => tax.shipping_taxed ?? false },
];

/** Returns the tax settings, which the API takes as a whole, with what was changed. */
function patchOf(stored: Stored, changed: Values): object {
  const plain = Object.entries(changed).filter(([key]) => TAX_PARTS.some((part) => part.key === key));
  const countries = changedRows(COUNTRY_RATES, stored, changed);
  const classes = changedRows(TAX_CLASSES, stored, changed);
  const tax = {
    ...stored.tax,
    ...Object.fromEntries(plain),
    ...(countries && { rates_by_country: countries }),
    ...(classes && { rates_by_class: classes }),
  };
  return { tax };
}

/** Returns the fields of the rows of tax classes, by the paths of the classes and of their rates. */
function classFields(rows: TaxInput['tax.rates_by_class']): ReadonlyMap<string, string> {
  const { list } = TAX_CLASSES;
  const fields = rows.flatMap(({ name, country }, n) => {
    const path = `${list}.${name}`;
    const rate = country === '' ? `${path}.rate_percent` : `${path}.rates_by_country.${country}`;
    return [[path, `${list}.${n}.name`] as const, [rate, `${list}.${n}.rate`] as const];
  });
  return new Map(fields.toReversed());
}

/** Saves what was changed of the tax rates: those of rows that the page didn't show stay as they are. */
export function saveTax(request: PageRequest, input: TaxInput): Promise<Outcome> {
  const rows = input['tax.rates_by_country'].map(({ country, rate }) => [country, rate] as const);
  const countries = submittedRows(request, COUNTRY_RATES, rows);
  const rates = byClass(input['tax.rates_by_class']);
  const classes = submittedRows(request, TAX_CLASSES, Object.entries(rates));
  const classRows = input['tax.rates_by_class'].map(({ name }) => [name, rates[name]] as const);
  const { 'tax.mode': mode, 'tax.rate_percent': rate_percent, 'tax.shipping_taxed': shipping_taxed } = input;
  const keys = rows.map(([country]) => country);
  const fields = classFields(input['tax.rates_by_class']);
  return saveSettings(request, {
    parts: [...TAX_PARTS, ...countries.parts, ...classes.parts],
    values: { mode, rate_percent, shipping_taxed, ...countries.values, ...classes.values },
    check: (stored) => ({
      ...hiddenRowErrors(request, COUNTRY_RATES, { stored, rows, part: 'country' }),
      ...hiddenRowErrors(request, TAX_CLASSES, { stored, rows: classRows, part: 'name' }),
    }),
    patch: patchOf,
    fieldOf: (path) => fields.get(path) ?? atRow(path, { list: COUNTRY_RATES.list, keys, part: 'rate' }),
  });
}
