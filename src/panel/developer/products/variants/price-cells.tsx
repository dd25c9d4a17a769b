import { amountText } from '../../../../kernel/values/money.ts';
import { Cell, type Filled } from '../../../../web/index.ts';
import { amountIn, isOnSaleNow, ordinaryPrice, type Variant } from '../product.tsx';
import { nameOf } from './variant-name.ts';

/** Returns the cells of a variant's price and regular price in the grid; during a sale the latter is not shown. */
export function priceCells(f: Filled, variant: Variant, currency: string) {
  const { id, regular_price } = variant;
  const name = nameOf(variant);
  return [
    <Cell
      f={f}
      name={`price-${id}`}
      label={`Price of ${name}`}
      value={amountText(ordinaryPrice(variant), currency)}
      required
      attributes={amountIn(currency)}
    />,
    isOnSaleNow(variant) ? null : (
      <Cell
        f={f}
        name={`regular_price-${id}`}
        label={`Regular price of ${name}`}
        value={amountText(regular_price, currency)}
        attributes={amountIn(currency)}
      />
    ),
  ];
}
