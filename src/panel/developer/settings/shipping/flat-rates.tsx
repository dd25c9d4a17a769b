import { z } from 'zod';
import { countryName } from '../../../../kernel/values/countries.ts';
import type { Amount } from '../../../../kernel/values/money.ts';
import {
  AmountFields,
  amountField,
  FieldCard,
  type Filled,
  Form,
  type Outcome,
  type PageRequest,
  Rows,
  rowsOf,
  Switch,
  withAmounts,
} from '../../../../web/index.ts';
import { inWords } from '../../../editing/changes.ts';
import { EditedParts } from '../../../editing/save-edit.tsx';
import { CountryField, pickedCountry } from '../../../pickers/country-field.tsx';
import {
  atRow,
  changedRows,
  hiddenRowErrors,
  type KeyedList,
  type PagedRows,
  refuseRepeated,
  rowParts,
  rowsOnPage,
  ShownKeys,
  submittedRows,
} from '../keyed-rows.tsx';
import { type SettingsPart, type Stored, saveSettings } from '../save-settings.ts';
import { FLAT_RATES_PATH } from '../tabs.tsx';
import type { Shipping } from './change-shipping.ts';

interface FlatRatesProps {
  readonly f: Filled;
  readonly settings: Stored;
  readonly currencies: readonly string[];
}

/** The form of the flat rates, and of those of single countries. */
export const FlatRates = ({ f, settings, currencies }: FlatRatesProps) => {
  const { shipping } = settings;
  const rows = rowsOnPage(f.request, shipping.by_country, countriesShown(currencies));
  const parts = [...PARTS, ...rowParts(COUNTRY_RATES, rows.shown)];
  return (
    <Form request={f.request} action={FLAT_RATES_PATH} submit="Save flat rates" unsaved bare>
      <EditedParts f={f} parts={parts} stored={settings} />
      <FieldCard title="Flat rates">
        <UnusedHint shipping={shipping} />
        <AmountFields
          f={f}
          name="shipping.flat"
          label="Price"
          currencies={currencies}
          value={shipping.flat}
          required
        />
        <AmountFields
          f={f}
          name="shipping.free_over"
          label="Free from"
          currencies={currencies}
          value={shipping.free_over}
          hint="Value of the goods. Leave empty for never"
        />
        <ByCountry f={f} rows={rows} currencies={currencies} />
      </FieldCard>
    </Form>
  );
};

/** Says that the flat rates don't apply while there are shipping methods. */
export const UnusedHint = ({ shipping: { methods = [] } }: { shipping: Shipping }) =>
  methods.length > 0 ? (
    <p class="hint">They apply when there is no shipping method; today shoppers choose from your methods.</p>
  ) : null;

/** Countries on one page: fewer with more currencies, each of which has fields in every row. */
const countriesShown = (currencies: readonly string[]): number =>
  Math.max(1, Math.floor(7 / (1 + currencies.length)));

interface ByCountryProps extends Pick<FlatRatesProps, 'f' | 'currencies'> {
  readonly rows: PagedRows<CountryRates>;
}

const ByCountry = ({ f, rows, currencies }: ByCountryProps) => (
  <>
    <Rows
      f={f}
      name="shipping.by_country"
      legend="Other prices by country"
      one="country"
      rows={rows.shown}
      counted={COUNTRY_PARTS}
    >
      {({ f: rowForm, at, row }) => (
        <>
          <CountryField f={rowForm} name={at('country')} label="Country" value={row?.[0]} />
          <AmountFields
            f={rowForm}
            name={at('flat')}
            label="Price"
            currencies={currencies}
            value={row?.[1].flat}
          />
          <Free f={rowForm} at={at} value={row?.[1].free_over} currencies={currencies} />
        </>
      )}
    </Rows>
    <ShownKeys f={f} list="shipping.by_country" rows={rows} path={FLAT_RATES_PATH} />
  </>
);

const FREE = [
  ['same', 'Free as above'],
  ['from', 'Free from'],
  ['never', 'Never free'],
] as const;

interface FreeProps {
  readonly f: Filled;
  readonly at: (part: string) => string;
  readonly value: Amount | null | undefined;
  readonly currencies: readonly string[];
}

/** Returns the option of {@link FREE} for a stored `free_over`. */
function freeChoice(value: FreeProps['value']): string {
  if (value === undefined) return 'same';
  return value === null ? 'never' : 'from';
}

/** Whether shipping to a country is free from the general value, from one of its own, or never. */
const Free = ({ f, at, value, currencies }: FreeProps) => (
  <Switch
    f={f}
    name={at('free')}
    label="Free shipping"
    options={FREE}
    value={freeChoice(value)}
    cases={[
      {
        of: 'from',
        body: (
          <AmountFields
            f={f}
            name={at('free_over')}
            label="Value of the goods"
            currencies={currencies}
            value={value}
          />
        ),
      },
    ]}
  />
);

const COUNTRY_PARTS = ['country', 'flat'] as const;

const CountryRow = withAmounts(
  z
    .object({
      country: pickedCountry,
      flat: amountField.required,
      free: z.enum(['same', 'from', 'never']),
      free_over: amountField.optional,
    })
    .refine(({ free, free_over }) => free !== 'from' || free_over !== null, {
      path: ['free_over'],
      message: 'is required',
    }),
  ['flat', 'free_over'],
);

/** The form of the flat rates. */
export const FlatRatesForm = withAmounts(
  z.object({
    'shipping.flat': amountField.required,
    'shipping.free_over': amountField.optional,
    'shipping.by_country': rowsOf(CountryRow, COUNTRY_PARTS).superRefine((rows, context) =>
      refuseRepeated({ rows, part: 'country', keyOf: ({ country }) => country }, context),
    ),
  }),
  ['shipping.flat', 'shipping.free_over'],
);

const COUNTRY_RATES: KeyedList = {
  list: 'shipping.by_country',
  kind: 'country',
  labelOf: (code) => `Prices for ${countryName(code)}`,
  of: ({ shipping }) => shipping.by_country,
  // A row of the settings, or of the form, which has the same fields.
  say: (row) => countryText(row as CountryRates | null),
};

type CountryRates = Partial<Pick<Shipping, 'free_over'>> & Pick<Shipping, 'flat'>;

function countryText(rates: CountryRates | null): string {
  if (!rates) return 'none';
  return `${inWords(rates.flat)}, ${freeText(rates.free_over)}`;
}

function freeText(freeOver: CountryRates['free_over']): string {
  if (freeOver === undefined) return 'free as above';
  return freeOver === null ? 'never free' : `free from ${inWords(freeOver)}`;
}

const PARTS: readonly SettingsPart[] = [
  { key: 'flat', label: 'Price', of: ({ shipping }) => shipping.flat },
  { key: 'free_over', label: 'Free from', of: ({ shipping }) => shipping.free_over ?? null },
];

/** Saves what was changed of the flat rates; the shipping methods stay as they are. */
export function saveFlatRates(request: PageRequest, input: z.output<typeof FlatRatesForm>): Promise<Outcome> {
  const rows = input['shipping.by_country'].map(
    ({ country, flat, free, free_over }) =>
      [country, { flat, ...(free !== 'same' && { free_over: free === 'from' ? free_over : null }) }] as const,
  );
  const countries = submittedRows(request, COUNTRY_RATES, rows);
  const { list } = COUNTRY_RATES;
  const keys = rows.map(([country]) => country);
  return saveSettings(request, {
    parts: [...PARTS, ...countries.parts],
    values: {
      flat: input['shipping.flat'],
      free_over: input['shipping.free_over'],
      ...countries.values,
    },
    check: (stored) => hiddenRowErrors(request, COUNTRY_RATES, { stored, rows, part: 'country' }),
    patch: (stored, changed) => {
      const by_country = changedRows(COUNTRY_RATES, stored, changed);
      const plain = Object.entries(changed).filter(([key]) => PARTS.some((part) => part.key === key));
      return {
        shipping: { ...stored.shipping, ...Object.fromEntries(plain), ...(by_country && { by_country }) },
      };
    },
    fieldOf: (path) => atRow(path, { list, keys, part: 'flat' }),
  });
}
