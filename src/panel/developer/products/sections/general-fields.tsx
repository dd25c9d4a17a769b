import type { ProductType } from '../../../../catalog/index.ts';
import type { TenantRow } from '../../../../tenants/index.ts';
import { Area, Choice, Field, FieldCard, type Filled } from '../../../../web/index.ts';
import { hasOwnStock, type Item, TYPES } from '../product.tsx';

/** What the fields about a product show: the stored product, or none for a new one. */
export interface GeneralProps {
  readonly f: Filled;
  readonly type: ProductType;
  readonly product: Item | null;
  readonly tenant: TenantRow;
}

const STATUSES = [
  ['active', 'Active'],
  ['inactive', 'Inactive: hidden from the shop'],
] as const;

const POLICIES = [
  ['deny', 'Stop selling at 0'],
  ['continue', 'Keep selling at 0, as backorders'],
  ['untracked', 'Do not count the stock'],
] as const;

/** Longest description that is edited on the product's own page; a longer one has its own. */
export const MAX_INLINE_DESCRIPTION = 2_000;

/** A product's description, or a link to the page that edits a long one. */
const Description = ({ f, product }: Pick<GeneralProps, 'f' | 'product'>) =>
  (product?.description?.length ?? 0) > MAX_INLINE_DESCRIPTION ? (
    <p>
      The description is long and has <a href={`${f.request.c.req.path}/description`}>a page of its own</a>.
    </p>
  ) : (
    <Area
      f={f}
      name="description"
      label="Description"
      hint="Text or HTML"
      value={product?.description}
      maxlength={65_535}
    />
  );

/** Name, description and whether shoppers see the product. */
export const MainCard = ({ f, type, product }: GeneralProps) => {
  const isSingle = ['simple', 'virtual', 'downloadable'].includes(type);
  return (
    <FieldCard title="Product">
      <Field f={f} name="name" label="Name" value={product?.name} required maxlength={255} />
      <Description f={f} product={product} />
      <div class="pair">
        <Choice f={f} name="status" label="Status" options={STATUSES} value={product?.status ?? 'active'} />
        {product && isSingle && (
          <Choice
            f={f}
            name="type"
            label="Type"
            options={(['simple', 'virtual', 'downloadable'] as const).map((one) => [one, TYPES[one][0]])}
            value={product.type}
          />
        )}
      </div>
    </FieldCard>
  );
};

/** The stock, and what is done when it is sold out, of types that have them. */
const StockFields = ({ f, type, product }: Omit<GeneralProps, 'tenant'>) => (
  <>
    {hasOwnStock(type) && (
      <Field
        f={f}
        name="stock"
        label="Stock that can be sold"
        type="number"
        value={product?.stock ?? 0}
        required
        attributes={{ min: 0 }}
      />
    )}
    {(hasOwnStock(type) || type === 'configurable') && (
      <Choice
        f={f}
        name="inventory_policy"
        label="When it is sold out"
        options={POLICIES}
        value={product?.inventory_policy ?? 'deny'}
      />
    )}
  </>
);

const Sku = ({ f, product }: Pick<GeneralProps, 'f' | 'product'>) => (
  <Field
    f={f}
    name="sku"
    label="SKU"
    value={product?.sku}
    required={product !== null}
    {...(product === null && { hint: 'Leave empty to derive it from the name' })}
    maxlength={64}
  />
);

/** Stock, codes and what parcels and taxes need to know. */
export const StockCard = ({ f, type, product, tenant }: GeneralProps) => {
  const classes = Object.keys(tenant.settings.tax.rates_by_class ?? {});
  return (
    <FieldCard title="Stock and shipping">
      <div class="pair">
        <StockFields f={f} type={type} product={product} />
        <Sku f={f} product={product} />
        <Barcode f={f} value={product?.barcode} />
        <Weight f={f} value={product?.weight} />
        <Field
          f={f}
          name="tax_class"
          label="Tax class"
          value={product?.tax_class}
          hint="Leave empty for the standard rates"
          attributes={{ maxlength: 50, list: 'tax-classes' }}
        />
        <Field f={f} name="vendor" label="Vendor" value={product?.vendor} maxlength={255} />
      </div>
      <datalist id="tax-classes">
        {classes.slice(0, 20).map((name) => (
          <option value={name} />
        ))}
      </datalist>
    </FieldCard>
  );
};

interface OneProps<Value> {
  readonly f: Filled;
  readonly value: Value | null | undefined;
}

/** The barcode of a product or variant. */
export const Barcode = ({ f, value }: OneProps<string>) => (
  <Field f={f} name="barcode" label="Barcode" value={value} hint="EAN, UPC or ISBN" maxlength={50} />
);

/** The weight of a product or variant. */
export const Weight = ({ f, value, hint }: OneProps<number> & { readonly hint?: string }) => (
  <Field
    f={f}
    name="weight"
    label="Weight in grams"
    type="number"
    value={value}
    hint={hint}
    attributes={{ min: 0 }}
  />
);
