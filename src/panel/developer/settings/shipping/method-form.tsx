import type { Child } from 'hono/jsx';
import { countryName } from '../../../../kernel/values/countries.ts';
import {
  AmountFields,
  Area,
  Field,
  FieldCard,
  type Filled,
  Rows,
  Switch,
  Tick,
} from '../../../../web/index.ts';
import { CountriesField, CountryNames } from '../../../pickers/country-field.tsx';
import type { Method } from './change-shipping.ts';
import { TIER_PARTS } from './method-schema.ts';

const BASES = [
  ['price', 'One price'],
  ['value', 'By the value of the goods'],
  ['weight', 'By weight'],
] as const;

/** What a method's price depends on: one of the options of {@link BASES}. */
function basisOf({ price, tiers }: Pick<Method, 'price' | 'tiers'>): string {
  if (price !== undefined || !tiers) return 'price';
  return tiers[0]?.from_weight === undefined ? 'value' : 'weight';
}

interface MethodFieldsProps {
  readonly f: Filled;
  /** Null for a new method. */
  readonly known: Method | null;
  readonly currencies: readonly string[];
}

/** The fields of a shipping method. */
export const MethodFields = (props: MethodFieldsProps) => (
  <>
    <div class="beside">
      <FieldCard title="Method">
        <Naming {...props} />
      </FieldCard>
      <FieldCard title="Delivery">
        <Delivery {...props} />
      </FieldCard>
    </div>
    <FieldCard title="Price">
      <Price {...props} />
    </FieldCard>
    <CountryNames />
  </>
);

const Naming = ({ f, known }: MethodFieldsProps) => (
  <>
    <Field
      f={f}
      name="name"
      label="Name"
      value={known?.name}
      hint="Shoppers choose by it, such as Express"
      required
      maxlength={100}
    />
    {known === null && (
      <Field
        f={f}
        name="id"
        label="Identifier"
        hint="For the API: small letters, digits, - and _. Leave empty to make it from the name"
        maxlength={64}
      />
    )}
    <Area f={f} name="description" label="Description" value={known?.description} />
    <Tick f={f} name="active" label="Offered to shoppers" on={known?.active ?? true} />
  </>
);

const Delivery = ({ f, known }: MethodFieldsProps) => (
  <>
    <CountriesField
      f={f}
      name="countries"
      label="Countries"
      value={(known?.countries ?? []).map(countryName)}
      hint="Leave empty to deliver everywhere"
    />
    <div class="pair">
      <Field
        f={f}
        name="min_days"
        label="Days at least"
        type="number"
        value={known?.min_days}
        attributes={DAYS}
      />
      <Field
        f={f}
        name="max_days"
        label="Days at most"
        type="number"
        value={known?.max_days}
        attributes={DAYS}
      />
    </div>
  </>
);

const DAYS = { min: 0, max: 365 } as const;

const ValueTiers = (props: MethodFieldsProps) => (
  <Tiers {...props} name="by_value" basis="value">
    {({ f, tier }, name) => (
      <AmountFields
        f={f}
        name={name}
        label="Goods worth at least"
        currencies={props.currencies}
        value={tier?.from_subtotal}
      />
    )}
  </Tiers>
);

const WeightTiers = (props: MethodFieldsProps) => (
  <Tiers {...props} name="by_weight" basis="weight">
    {({ f, tier }, name) => (
      <Field
        f={f}
        name={name}
        label="Grams at least"
        type="number"
        value={tier?.from_weight}
        attributes={{ min: 0 }}
      />
    )}
  </Tiers>
);

const Price = ({ f, known, currencies }: MethodFieldsProps) => (
  <>
    <Switch
      f={f}
      name="basis"
      label="What it costs"
      options={BASES}
      value={known ? basisOf(known) : 'price'}
      cases={[
        {
          of: 'price',
          body: (
            <AmountFields f={f} name="price" label="Price" currencies={currencies} value={known?.price} />
          ),
        },
        { of: 'value', body: <ValueTiers f={f} known={known} currencies={currencies} /> },
        { of: 'weight', body: <WeightTiers f={f} known={known} currencies={currencies} /> },
      ]}
    />
    <AmountFields
      f={f}
      name="free_over"
      label="Free from"
      currencies={currencies}
      value={known?.free_over}
      hint="Value of the goods after discounts. Leave empty for never"
    />
  </>
);

type Tier = NonNullable<Method['tiers']>[number];

interface TiersProps extends MethodFieldsProps {
  readonly name: string;
  readonly basis: string;
  /** Renders the field from which a tier applies. */
  readonly children: (row: { readonly f: Filled; readonly tier: Tier | undefined }, name: string) => Child;
}

const Tiers = ({ f, name, known, basis, currencies, children }: TiersProps) => (
  <Rows
    f={f}
    name={name}
    legend="Prices"
    one="price"
    hint="In ascending order, the first from 0"
    rows={known && basisOf(known) === basis ? (known.tiers ?? []) : []}
    counted={TIER_PARTS}
  >
    {({ f: rowForm, at, row }) => (
      <>
        {children({ f: rowForm, tier: row }, at('from'))}
        <AmountFields
          f={rowForm}
          name={at('price')}
          label="Price"
          currencies={currencies}
          value={row?.price}
        />
      </>
    )}
  </Rows>
);
