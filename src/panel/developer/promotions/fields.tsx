import { AmountFields, Field, FieldCard, type Filled, Switch, Tick } from '../../../web/index.ts';
import { CategoryPicker, type CategoryPlace } from '../../pickers/category-picker.tsx';
import type { Choosable } from '../../pickers/choices.tsx';
import type { FoundChoices } from '../../pickers/found-picker.tsx';
import { ProductPicker } from '../../pickers/product-picker.tsx';
import { Limits } from './limits.tsx';
import type { Promotion } from './sentence.tsx';

const KINDS = [
  ['percent', 'A percentage off'],
  ['fixed', 'An amount off'],
  ['buy_x_get_y', 'Buy some, get some free or cheaper'],
  ['free_shipping', 'Free shipping'],
] as const;
const TRIGGERS = [
  ['code', 'Shoppers enter a code'],
  ['automatic', 'Automatically, in every cart'],
] as const;

/** Of a field that a choice requires: browsers would insist on it where it is not shown. */
const IF_CHOSEN = { 'aria-required': 'true' } as const;

/** What the fields of a promotion are rendered from. */
export interface FieldsProps {
  readonly f: Filled;
  /** Null for a new promotion. */
  readonly known: Promotion | null;
  readonly currencies: readonly string[];
  readonly categories: readonly CategoryPlace[];
  readonly products: FoundChoices;
  /** The products that the promotion names. */
  readonly named: readonly Choosable[];
}

/** The fields of a promotion, named by their paths in the API. */
export const Fields = (props: FieldsProps) => (
  <div class="beside">
    <FieldCard title="Promotion">
      <Field
        f={props.f}
        name="name"
        label="Name"
        value={props.known?.name}
        hint="Shown in the cart"
        required
        maxlength={120}
      />
      <Trigger {...props} />
      <Effect {...props} />
    </FieldCard>
    <FieldCard title="Conditions">
      <Conditions {...props} />
    </FieldCard>
    <FieldCard title="Products">
      <Targets {...props} />
    </FieldCard>
    <FieldCard title="Period and limits">
      <Limits f={props.f} known={props.known} />
    </FieldCard>
  </div>
);

const Trigger = ({ f, known }: FieldsProps) => (
  <Switch
    f={f}
    name="trigger"
    label="How it applies"
    options={TRIGGERS}
    value={known?.trigger ?? 'code'}
    cases={[
      {
        of: 'code',
        body: (
          <Field
            f={f}
            name="code"
            label="Code"
            value={known?.code}
            hint="Letters, digits, - and _. Case and accents don't matter"
            attributes={{ maxlength: 64, autocomplete: 'off', ...IF_CHOSEN }}
          />
        ),
      },
    ]}
  />
);

const Effect = ({ f, known, currencies }: FieldsProps) => {
  const effect = known?.effect;
  return (
    <Switch
      f={f}
      name="effect.kind"
      label="What it gives"
      options={KINDS}
      value={effect?.kind ?? 'percent'}
      cases={[
        {
          of: 'percent',
          body: (
            <Percent f={f} name="effect.percent" value={effect?.kind === 'percent' ? effect.value : null} />
          ),
        },
        {
          of: 'fixed',
          body: (
            <AmountFields
              f={f}
              name="effect.amount"
              label="Amount off"
              currencies={currencies}
              value={effect?.kind === 'fixed' ? effect.value : null}
            />
          ),
        },
        { of: 'buy_x_get_y', body: <Sets f={f} effect={effect} /> },
      ]}
    />
  );
};

const Percent = ({ f, name, value }: { f: Filled; name: string; value: number | null }) => (
  <Field
    f={f}
    name={name}
    label="Percent off"
    value={value}
    attributes={{ inputmode: 'decimal', maxlength: 12, ...IF_CHOSEN }}
  />
);

/** The fields of "buy some, get some". */
const Sets = ({ f, effect }: { f: Filled; effect: Promotion['effect'] | undefined }) => {
  const known = effect?.kind === 'buy_x_get_y' ? effect : null;
  return (
    <>
      <div class="pair">
        <Field f={f} name="effect.buy" label="Buy" type="number" value={known?.buy} attributes={UNITS} />
        <Field f={f} name="effect.get" label="Get" type="number" value={known?.get} attributes={UNITS} />
      </div>
      <Percent f={f} name="effect.percent_off" value={known?.percent_off ?? 100} />
      <p class="hint">Of each set the cheapest are reduced; 100 percent makes them free.</p>
    </>
  );
};

const UNITS = { min: 1, max: 1000, ...IF_CHOSEN } as const;

const Conditions = ({ f, known, currencies }: FieldsProps) => {
  const conditions = known?.conditions;
  return (
    <>
      <AmountFields
        f={f}
        name="conditions.minimum_subtotal"
        label="Cart worth at least"
        currencies={currencies}
        value={conditions?.minimum_subtotal}
        hint="Before discounts. Leave empty for every cart"
      />
      <Field
        f={f}
        name="conditions.minimum_quantity"
        label="Units at least"
        type="number"
        value={conditions?.minimum_quantity}
        hint="Of products that it applies to. Leave empty for any number"
        attributes={{ min: 1 }}
      />
      <Tick
        f={f}
        name="conditions.first_order"
        label="Only on a shopper's first order"
        on={conditions?.first_order ?? false}
      />
    </>
  );
};

const Targets = ({ f, known, categories, products, named }: FieldsProps) => (
  <>
    <p class="hint">Without a choice it applies to all products. Subcategories are included.</p>
    <ProductPicker
      f={f}
      name="conditions.product_ids"
      legend="Only these products"
      products={products}
      stored={named}
    />
    <CategoryPicker
      f={f}
      name="conditions.category_ids"
      legend="Only these categories"
      categories={categories}
      stored={known?.conditions.category_ids ?? []}
    />
  </>
);
