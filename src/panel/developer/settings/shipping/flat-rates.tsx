import { z } from 'zod';
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
import { CountryField, pickedCountry } from '../../../pickers/country-field.tsx';
import {
  atRows,
  hiddenRowErrors,
  mergedRows,
  refuseRepeated,
  rowsOnPage,
  ShownKeys,
} from '../keyed-rows.tsx';
import { SHIPPING_PATH } from '../tabs.tsx';
import { changeShipping, type Shipping } from './change-shipping.ts';

interface FlatRatesProps {
  readonly f: Filled;
  readonly shipping: Shipping;
  readonly currencies: readonly string[];
}

/** The form of the flat rates, and of those of single countries. */
export const FlatRates = ({ f, shipping, currencies }: FlatRatesProps) => (
  <Form request={f.request} action={SHIPPING_PATH} submit="Save flat rates" bare>
    <FieldCard title="Flat rates">
      {shipping.methods?.length ? (
        <p class="hint">
          They apply when there is no shipping method; today shoppers choose from your methods.
        </p>
      ) : null}
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
      <ByCountry f={f} shipping={shipping} currencies={currencies} />
    </FieldCard>
  </Form>
);

/** Countries on one page: fewer with more currencies, each of which has fields in every row. */
const countriesShown = (currencies: readonly string[]): number =>
  Math.max(1, Math.floor(12 / (1 + currencies.length)));

const ByCountry = ({ f, shipping, currencies }: FlatRatesProps) => {
  const rows = rowsOnPage(f, { object: shipping.by_country, size: countriesShown(currencies) });
  return (
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
            <CountryField f={rowForm} name={at('country')} label="Country" value={row?.[0] ?? ''} />
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
      <ShownKeys f={f} list="shipping.by_country" rows={rows} path={SHIPPING_PATH} />
    </>
  );
};

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

/** Whether shipping to a country is free from the general value, from one of its own, or never. */
const Free = ({ f, at, value, currencies }: FreeProps) => (
  <Switch
    f={f}
    name={at('free')}
    label="Free shipping"
    options={FREE}
    value={value === undefined ? 'same' : value === null ? 'never' : 'from'}
    cases={[
      {
        of: ['from'],
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

/** Saves the flat rates; the shipping methods stay as they are. */
export async function saveFlatRates(
  request: PageRequest,
  input: z.output<typeof FlatRatesForm>,
): Promise<Outcome> {
  const countries = input['shipping.by_country'].map(
    ({ country, flat, free, free_over }) =>
      [country, { flat, ...(free !== 'same' && { free_over: free === 'from' ? free_over : null }) }] as const,
  );
  const changed = await changeShipping(request, ({ methods, by_country }) => {
    const list = { list: 'shipping.by_country', stored: by_country };
    const errors = hiddenRowErrors({ request }, { ...list, rows: countries, part: 'country' });
    if (Object.keys(errors).length > 0) {
      return { trouble: { message: 'Correct the marked fields.', errors, status: 422 } };
    }
    return {
      flat: input['shipping.flat'],
      free_over: input['shipping.free_over'],
      by_country: mergedRows({ request }, { ...list, rows: countries }),
      ...(methods && { methods }),
    };
  });
  if (changed.ok) return { to: SHIPPING_PATH, note: 'saved' };
  const keys = countries.map(([country]) => country);
  return { trouble: atRows(changed.trouble, { list: 'shipping.by_country', keys, part: 'flat' }) };
}
