import type { ProductType } from '../../../../catalog/index.ts';
import { amountText, formatMoney } from '../../../../kernel/values/money.ts';
import { Field, FieldCard, type Filled, Instant } from '../../../../web/index.ts';
import {
  explainedAmount,
  hasOwnPrice,
  hasOwnSale,
  type Item,
  isOnSaleNow,
  ordinaryPrice,
} from '../product.tsx';
import type { GeneralProps } from './general-fields.tsx';

interface OtherPricesProps {
  readonly f: Filled;
  /** The tenant's currencies besides the main one. */
  readonly currencies: readonly string[];
  readonly prices: Item['prices'] | undefined;
  /** The fields' names without the currency: `prices` or `sale.prices`. */
  readonly name?: string;
  readonly label?: string;
  readonly hint?: string;
}

/** The prices of a product, variant or sale in the other currencies. */
export const OtherPrices = (props: OtherPricesProps) => {
  const { f, currencies, prices, name = 'prices', label = 'Price', hint } = props;
  return (
    <>
      {currencies.map((currency) => (
        <Field
          f={f}
          name={`${name}.${currency}`}
          label={`${label} (${currency})`}
          value={amountText(prices?.[currency], currency)}
          hint={hint}
          attributes={explainedAmount(currency)}
        />
      ))}
    </>
  );
};

/** What the price means of types whose parts have the prices that shoppers pay. */
const PRICE_HINTS: Readonly<Partial<Record<ProductType, string>>> = {
  grouped: 'Shown in lists. Shoppers pay the prices of the products that they buy',
  bundled: 'Shown in lists. Shoppers pay the sum of what they choose',
};

/** The price in each currency, and the regular one unless a sale runs. */
export const PriceCard = ({ f, type, product, tenant }: GeneralProps) => {
  if (!hasOwnPrice(type)) return null;
  const [main = '', ...others] = tenant.currencies;
  const isOnSale = product !== null && isOnSaleNow(product);
  const hint = isOnSale
    ? `On sale at ${formatMoney(product.price, main)}. This is the price without the sale`
    : PRICE_HINTS[type];
  return (
    <FieldCard title="Price">
      <div class="pair">
        <Field
          f={f}
          name="price"
          label={`Price (${main})`}
          value={amountText(product && ordinaryPrice(product), main)}
          hint={hint}
          required
          attributes={explainedAmount(main)}
        />
        {!isOnSale && (
          <Field
            f={f}
            name="regular_price"
            label={`Regular price (${main})`}
            value={amountText(product?.regular_price, main)}
            hint="Shown struck through. Leave empty for none"
            attributes={explainedAmount(main)}
          />
        )}
        <OtherPrices
          f={f}
          currencies={others}
          prices={product?.prices}
          hint="Leave empty where it is not sold"
        />
      </div>
    </FieldCard>
  );
};

/** A temporary price, with its beginning and end. */
export const SaleCard = ({ f, type, product, tenant }: GeneralProps) =>
  hasOwnSale(type) ? (
    <FieldCard title="Sale">
      <SaleFields f={f} sale={product?.sale} currencies={tenant.currencies} />
    </FieldCard>
  ) : null;

interface SaleProps {
  readonly f: Filled;
  readonly sale: Item['sale'] | undefined;
  readonly currencies: readonly string[];
}

/** The fields of a sale. */
export const SaleFields = ({ f, sale, currencies: [main = '', ...others] }: SaleProps) => (
  <div class="pair">
    <Field
      f={f}
      name="sale.price"
      label={`Sale price (${main})`}
      value={amountText(sale?.price, main)}
      hint="Leave empty for no sale"
      attributes={explainedAmount(main)}
    />
    <OtherPrices f={f} currencies={others} prices={sale?.prices} name="sale.prices" label="Sale price" />
    <Instant
      f={f}
      name="sale.starts_at"
      label="Sale begins (UTC)"
      value={sale?.starts_at}
      hint="Leave empty to begin at once"
    />
    <Instant
      f={f}
      name="sale.ends_at"
      label="Sale ends (UTC)"
      value={sale?.ends_at}
      hint="Leave empty for no end"
    />
  </div>
);
