import { countryName } from '../../../kernel/values/countries.ts';
import { deliveryTimeText } from '../../../kernel/values/delivery-time.ts';
import { formatMoney } from '../../../kernel/values/money.ts';
import type { ShippingMethodOption } from '../../../pricing/index.ts';
import type { Purchase } from '../../sessions/purchase.ts';

/** Returns why there is no method to choose, for the shopper. */
const missingMethods = (country: string | null): string =>
  country === null
    ? 'Choose your country and press “Update totals”.'
    : `This shop does not deliver to ${countryName(country)}.`;

const Method = ({ method, currency }: { method: ShippingMethodOption; currency: string }) => (
  <label class="method">
    <input type="radio" name="shipping_method" value={method.id} checked={method.selected} />
    <span dir="auto">
      {method.name}
      <span class="soft">{[method.description, deliveryTimeText(method)].filter(Boolean).join(' · ')}</span>
    </span>
    <span class="amount">{method.price === 0 ? 'Free' : formatMoney(method.price, currency)}</span>
  </label>
);

/** Names the shipping by country. */
export const shippingTerm = ({ country }: Purchase): string =>
  `Shipping${country ? ` to ${countryName(country)}` : ''}`;

/** The choice of a shipping method; nothing if no item is shipped. `chosen` is the id of the shopper's choice. */
export const Delivery = ({ purchase, chosen }: { purchase: Purchase; chosen: string | null }) => {
  const { shippingMethods, shippingMethod, currency, country, ships } = purchase;
  const id = shippingMethod?.id;
  if (!ships) return null;
  return (
    <fieldset>
      <legend>Delivery</legend>
      {id === chosen ? null : <input type="hidden" name="default_method" value={id} />}
      {shippingMethods.length === 0 ? (
        <p class={country === null ? 'soft' : 'wrong'}>{missingMethods(country)}</p>
      ) : (
        shippingMethods.map((method) => <Method method={method} currency={currency} />)
      )}
    </fieldset>
  );
};
