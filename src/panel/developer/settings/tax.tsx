import { z } from 'zod';
import { Settings } from '../../../tenants/index.ts';
import {
  Choice,
  checked,
  decimal,
  Field,
  FieldCard,
  type Filled,
  Form,
  type FormError,
  type Outcome,
  type PageRequest,
  Rows,
  rowsOf,
  Tick,
} from '../../../web/index.ts';
import { CountryField, CountryNames, pickedCountry } from '../../pickers/country-field.tsx';
import { atRows, hiddenRowErrors, mergedRows, refuseRepeated, rowsOnPage, ShownKeys } from './keyed-rows.tsx';
import { SETTINGS_PATH, Tabs } from './tabs.tsx';

const here = `${SETTINGS_PATH}/tax`;
type Tax = z.output<typeof Settings>['tax'];

const MODES = [
  ['exclusive', 'Without tax: it is added at checkout'],
  ['inclusive', 'With tax included'],
] as const;

/** A rate of a tax class: for a country, or for all others. */
interface ClassRate {
  readonly name: string;
  /** "" for all countries without a rate of their own. */
  readonly country: string;
  readonly rate: number;
}

const classRates = (classes: NonNullable<Tax['rates_by_class']>): ClassRate[] =>
  Object.entries(classes).flatMap(([name, { rate_percent, rates_by_country = {} }]) => [
    { name, country: '', rate: rate_percent },
    ...Object.entries(rates_by_country).map(([country, rate]) => ({ name, country, rate })),
  ]);

/** The page of tax rates. */
export const taxPage = async (request: PageRequest, trouble: FormError | null) => {
  const { tenant } = await request.developer();
  const { tax } = tenant.settings;
  const f = { request, trouble };
  const body = (
    <>
      <Tabs request={request} here={here} />
      <Form request={request} action={here} submit="Save" bare>
        <FieldCard title="Prices and standard rate">
          <div class="pair">
            <Choice f={f} name="tax.mode" label="Your prices are" options={MODES} value={tax.mode} />
            <Rate f={f} name="tax.rate_percent" label="Standard rate (percent)" value={tax.rate_percent} />
          </div>
          <Tick f={f} name="tax.shipping_taxed" label="Shipping is taxed" on={tax.shipping_taxed ?? false} />
        </FieldCard>
        <CountryRates f={f} tax={tax} />
        <ClassRates f={f} tax={tax} />
      </Form>
      <CountryNames />
    </>
  );
  return { title: 'Settings', body };
};

interface RateProps {
  readonly f: Filled;
  readonly name: string;
  readonly label: string;
  readonly value: number | undefined;
}

const Rate = ({ f, name, label, value }: RateProps) => (
  <Field
    f={f}
    name={name}
    label={label}
    value={value ?? ''}
    attributes={{ inputmode: 'decimal', maxlength: 12 }}
  />
);

/** Rows of a list on one page, which holds two lists and at most 30 KiB. */
const ROWS_SHOWN = 6;
const CLASSES_SHOWN = 3;

const CountryRates = ({ f, tax }: { f: Filled; tax: Tax }) => {
  const rows = rowsOnPage(f, { object: tax.rates_by_country, size: ROWS_SHOWN });
  return (
    <section class="card">
      <Rows
        f={f}
        name="tax.rates_by_country"
        legend="Rates by country"
        one="country"
        hint="For the country of delivery; everywhere else the standard rate applies."
        rows={rows.shown}
        counted={COUNTRY_PARTS}
      >
        {({ f: rowForm, at, row }) => (
          <>
            <CountryField f={rowForm} name={at('country')} label="Country" value={row?.[0] ?? ''} />
            <Rate f={rowForm} name={at('rate')} label="Rate (percent)" value={row?.[1]} />
          </>
        )}
      </Rows>
      <ShownKeys f={f} list="tax.rates_by_country" rows={rows} path={here} />
    </section>
  );
};

const ClassRates = ({ f, tax }: { f: Filled; tax: Tax }) => {
  const rows = rowsOnPage(f, { object: tax.rates_by_class, size: CLASSES_SHOWN });
  return (
    <section class="card">
      <Rows
        f={f}
        name="tax.rates_by_class"
        legend="Rates by tax class"
        one="rate"
        hint="For products with a tax class, such as books. Each class has a rate without a country, for all others."
        rows={classRates(Object.fromEntries(rows.shown))}
        counted={CLASS_PARTS}
      >
        {({ f: rowForm, at, row }) => (
          <>
            <Field
              f={rowForm}
              name={at('name')}
              label="Tax class"
              value={row?.name ?? ''}
              attributes={{ maxlength: 50 }}
            />
            <CountryField
              f={rowForm}
              name={at('country')}
              label="Country (or all)"
              value={row?.country ?? ''}
            />
            <Rate f={rowForm} name={at('rate')} label="Rate (percent)" value={row?.rate} />
          </>
        )}
      </Rows>
      <ShownKeys f={f} list="tax.rates_by_class" rows={rows} path={here} />
    </section>
  );
};

const COUNTRY_PARTS = ['country', 'rate'] as const;
const CLASS_PARTS = ['name', 'country', 'rate'] as const;

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

/** Returns the errors of rows of a country or class that another page of the form has. */
function errorsOfHidden(request: PageRequest, input: TaxInput, stored: Tax): Record<string, string[]> {
  const [list, classList] = ['tax.rates_by_country', 'tax.rates_by_class'] as const;
  const rows = input[list].map(({ country, rate }) => [country, rate] as const);
  const classes = byClass(input[classList]);
  const classRows = input[classList].map(({ name }) => [name, classes[name]] as const);
  const { rates_by_country, rates_by_class } = stored;
  return {
    ...hiddenRowErrors({ request }, { list, rows, stored: rates_by_country, part: 'country' }),
    ...hiddenRowErrors(
      { request },
      { list: classList, rows: classRows, stored: rates_by_class, part: 'name' },
    ),
  };
}

/** Saves the tax rates: those of rows that the page didn't show stay as they are. */
export async function saveTax(request: PageRequest, input: TaxInput): Promise<Outcome> {
  const countries = input['tax.rates_by_country'].map(({ country, rate }) => [country, rate] as const);
  const stored = await request.api({ path: '/v1/settings', answer: Settings });
  if (!stored.ok) return stored;
  const errors = errorsOfHidden(request, input, stored.value.tax);
  if (Object.keys(errors).length > 0) {
    return { trouble: { message: 'Correct the marked fields.', errors, status: 422 } };
  }
  const { rates_by_country, rates_by_class } = stored.value.tax;
  const tax = {
    mode: input['tax.mode'],
    rate_percent: input['tax.rate_percent'],
    rates_by_country: mergedRows(
      { request },
      { list: 'tax.rates_by_country', stored: rates_by_country, rows: countries },
    ),
    rates_by_class: mergedRows(
      { request },
      {
        ...{ list: 'tax.rates_by_class', stored: rates_by_class },
        rows: Object.entries(byClass(input['tax.rates_by_class'])),
      },
    ),
    shipping_taxed: input['tax.shipping_taxed'],
  };
  const changed = await request.api({
    ...{ method: 'PATCH', path: '/v1/settings', match: stored.etag, body: { tax } },
  });
  if (changed.ok) return { to: here, note: 'saved' };
  const keys = countries.map(([country]) => country);
  return { trouble: atRows(changed.trouble, { list: 'tax.rates_by_country', keys, part: 'rate' }) };
}
