import {
  Choice,
  Field,
  FieldCard,
  type Filled,
  Form,
  type FormError,
  type PageRequest,
  Rows,
  Tick,
} from '../../../web/index.ts';
import { EditedParts } from '../../editing/save-edit.tsx';
import { CountryField, CountryNames } from '../../pickers/country-field.tsx';
import { type PagedRows, rowParts, rowsOnPage, ShownKeys } from './keyed-rows.tsx';
import type { Stored } from './save-settings.ts';
import { SettingsTabs, TAX_PATH, titleOf } from './tabs.tsx';
import { CLASS_PARTS, COUNTRY_PARTS, COUNTRY_RATES, TAX_CLASSES, TAX_PARTS } from './tax-form.ts';

type TaxClasses = NonNullable<Stored['tax']['rates_by_class']>;

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

const classRates = (classes: TaxClasses): ClassRate[] =>
  Object.entries(classes).flatMap(([name, { rate_percent, rates_by_country = {} }]) => [
    { name, country: '', rate: rate_percent },
    ...Object.entries(rates_by_country).map(([country, rate]) => ({ name, country, rate })),
  ]);

/** The page of tax rates. */
export const taxPage = async (request: PageRequest, formError: FormError | null) => {
  const { tenant } = await request.developer();
  const { tax } = tenant.settings;
  const f = { request, formError };
  const countries = rowsOnPage(request, tax.rates_by_country, ROWS_SHOWN);
  const classes = rowsOnPage(request, tax.rates_by_class, CLASSES_SHOWN);
  const parts = [
    ...TAX_PARTS,
    ...rowParts(COUNTRY_RATES, countries.shown),
    ...rowParts(TAX_CLASSES, classes.shown),
  ];
  const body = (
    <>
      <SettingsTabs request={request} here={TAX_PATH} />
      <Form request={request} action={TAX_PATH} submit="Save" unsaved bare>
        <EditedParts f={f} parts={parts} stored={tenant.settings} />
        <FieldCard title="Prices and standard rate">
          <div class="pair">
            <Choice f={f} name="tax.mode" label="Your prices are" options={MODES} value={tax.mode} />
            <Rate f={f} name="tax.rate_percent" label="Standard rate (percent)" value={tax.rate_percent} />
          </div>
          <Tick f={f} name="tax.shipping_taxed" label="Shipping is taxed" on={tax.shipping_taxed ?? false} />
        </FieldCard>
        <CountryRates f={f} rows={countries} />
        <ClassRates f={f} rows={classes} />
      </Form>
      <CountryNames />
    </>
  );
  return { ...titleOf(TAX_PATH), body };
};

interface RateProps {
  readonly f: Filled;
  readonly name: string;
  readonly label: string;
  readonly value: number | undefined;
}

const Rate = ({ f, name, label, value }: RateProps) => (
  <Field f={f} name={name} label={label} value={value} attributes={{ inputmode: 'decimal', maxlength: 12 }} />
);

/** Rows of a list on one page, which holds two lists and at most 30 KiB. */
const ROWS_SHOWN = 6;
const CLASSES_SHOWN = 3;

const CountryRates = ({ f, rows }: { f: Filled; rows: PagedRows<number> }) => (
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
          <CountryField f={rowForm} name={at('country')} label="Country" value={row?.[0]} />
          <Rate f={rowForm} name={at('rate')} label="Rate (percent)" value={row?.[1]} />
        </>
      )}
    </Rows>
    <ShownKeys f={f} list="tax.rates_by_country" rows={rows} path={TAX_PATH} />
  </section>
);

const ClassRates = ({ f, rows }: { f: Filled; rows: PagedRows<TaxClasses[string]> }) => (
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
          <Field f={rowForm} name={at('name')} label="Tax class" value={row?.name} maxlength={50} />
          <CountryField f={rowForm} name={at('country')} label="Country (or all)" value={row?.country} />
          <Rate f={rowForm} name={at('rate')} label="Rate (percent)" value={row?.rate} />
        </>
      )}
    </Rows>
    <ShownKeys f={f} list="tax.rates_by_class" rows={rows} path={TAX_PATH} />
  </section>
);
