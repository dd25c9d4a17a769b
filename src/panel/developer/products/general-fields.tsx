import type { ProductType } from '../../../catalog/index.ts';
import type { TenantRow } from '../../../tenants/index.ts';
import { Area, Choice, Field, type Filled, Instant } from '../../../web/index.ts';
import {
  amount,
  hasOwnPrice,
  hasOwnSale,
  hasOwnStock,
  type Item,
  isOnSaleNow,
  ordinaryPrice,
  TYPES,
} from './product.tsx';

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
  ['continue', 'Sell on at 0, as backorders'],
  ['untracked', 'Do not count the stock'],
] as const;

/** Longest description that is edited on the product's own page; a longer one has its own. */
export const MAX_INLINE_DESCRIPTION = 2_000;

/** Name, description and whether shoppers see the product. */
export const MainCard = ({ f, type, product }: GeneralProps) => {
  const isLong = (product?.description?.length ?? 0) > MAX_INLINE_DESCRIPTION;
  const isSingle = ['simple', 'virtual', 'downloadable'].includes(type);
  return (
    <fieldset class="card">
      <legend>Product</legend>
      <Field
        f={f}
        name="name"
        label="Name"
        value={product?.name ?? null}
        required
        attributes={{ maxlength: 255 }}
      />
      {isLong ? (
        <p>
          The description is long and has{' '}
          <a href={`${f.request.c.req.path}/description`}>a page of its own</a>.
        </p>
      ) : (
        <Area
          f={f}
          name="description"
          label="Description"
          hint="Text or HTML"
          value={product?.description ?? null}
          attributes={{ maxlength: 65_535 }}
        />
      )}
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
    </fieldset>
  );
};

/** The price in each currency, and the regular one unless a sale runs. */
export const PriceCard = ({ f, type, product, tenant }: GeneralProps) => {
  if (!hasOwnPrice(type)) return null;
  const [main = '', ...others] = tenant.currencies;
  const isOnSale = product !== null && isOnSaleNow(product);
  const more = { required: true, attributes: amount };
  return (
    <fieldset class="card">
      <legend>Price</legend>
      <div class="pair">
        <Field
          f={f}
          name="price"
          label={`Price (${main})`}
          value={product ? ordinaryPrice(product) : null}
          {...(isOnSale && { hint: `On sale at ${product.price}. This is the price without the sale` })}
          {...more}
        />
        {!isOnSale && (
          <Field
            f={f}
            name="regular_price"
            label={`Regular price (${main})`}
            value={product?.regular_price ?? null}
            hint="Shown struck through. Leave empty for none"
            attributes={amount}
          />
        )}
        {others.map((currency) => (
          <Field
            f={f}
            name={`prices.${currency}`}
            label={`Price (${currency})`}
            value={product?.prices?.[currency] ?? null}
            hint="Leave empty where it is not sold"
            attributes={amount}
          />
        ))}
      </div>
    </fieldset>
  );
};

/** A temporary price, with its beginning and end. */
export const SaleCard = ({ f, type, product, tenant }: GeneralProps) =>
  hasOwnSale(type) ? (
    <fieldset class="card">
      <legend>Sale</legend>
      <SaleFields f={f} sale={product?.sale ?? null} currencies={tenant.currencies} />
    </fieldset>
  ) : null;

interface SaleProps {
  readonly f: Filled;
  readonly sale: NonNullable<Item['sale']> | null;
  readonly currencies: readonly string[];
}

/** The fields of a sale. */
export const SaleFields = ({ f, sale, currencies: [main = '', ...others] }: SaleProps) => (
  <div class="pair">
    <Field
      f={f}
      name="sale.price"
      label={`Sale price (${main})`}
      value={sale?.price ?? null}
      hint="Leave empty for no sale"
      attributes={amount}
    />
    {others.map((currency) => (
      <Field
        f={f}
        name={`sale.prices.${currency}`}
        label={`Sale price (${currency})`}
        value={sale?.prices?.[currency] ?? null}
        attributes={amount}
      />
    ))}
    <Instant
      f={f}
      name="sale.starts_at"
      label="Sale begins (UTC)"
      value={sale?.starts_at ?? null}
      hint="Empty: at once"
    />
    <Instant
      f={f}
      name="sale.ends_at"
      label="Sale ends (UTC)"
      value={sale?.ends_at ?? null}
      hint="Empty: never"
    />
  </div>
);

/** Stock, codes and what parcels and taxes need to know. */
export const StockCard = ({ f, type, product, tenant }: GeneralProps) => {
  const classes = Object.keys(tenant.settings.tax?.rates_by_class ?? {});
  return (
    <fieldset class="card">
      <legend>Stock and shipping</legend>
      <div class="pair">
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
        <Field
          f={f}
          name="sku"
          label="SKU"
          value={product?.sku ?? null}
          required={product !== null}
          {...(product === null && { hint: 'Leave empty to derive it from the name' })}
          attributes={{ maxlength: 64 }}
        />
        <Field
          f={f}
          name="barcode"
          label="Barcode"
          value={product?.barcode ?? null}
          hint="EAN, UPC or ISBN"
          attributes={{ maxlength: 50 }}
        />
        <Field
          f={f}
          name="weight"
          label="Weight in grams"
          type="number"
          value={product?.weight ?? null}
          attributes={{ min: 0 }}
        />
        <Field
          f={f}
          name="tax_class"
          label="Tax class"
          value={product?.tax_class ?? null}
          hint="Empty: the standard rates"
          attributes={{ maxlength: 50, list: 'tax-classes' }}
        />
        <Field
          f={f}
          name="vendor"
          label="Vendor"
          value={product?.vendor ?? null}
          attributes={{ maxlength: 255 }}
        />
      </div>
      <datalist id="tax-classes">
        {classes.slice(0, 20).map((name) => (
          <option value={name} />
        ))}
      </datalist>
    </fieldset>
  );
};
