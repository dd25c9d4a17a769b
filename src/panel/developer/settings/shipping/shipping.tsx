import { type Amount, formatMoney } from '../../../../kernel/values/money.ts';
import {
  ActionLink,
  clip,
  Form,
  type FormError,
  type PageRequest,
  State,
  Table,
} from '../../../../web/index.ts';
import { CountryNames } from '../../../pickers/country-field.tsx';
import { SettingsTabs, SHIPPING_PATH, titleOf } from '../tabs.tsx';
import type { Method } from './change-shipping.ts';
import { FlatRates } from './flat-rates.tsx';

/** Returns a price in words, in the main currency: `€4.90`, `by weight, from €4.90` for tiers. */
function priceText({ price, tiers = [] }: Method, currency: string): string {
  const inMain = (amount: Amount) => (typeof amount === 'number' ? amount : amount[currency]);
  const prices = price === undefined ? tiers.map((tier) => inMain(tier.price)) : [inMain(price)];
  const known = prices.filter((one) => one !== undefined);
  const lowest = known.length > 0 ? formatMoney(Math.min(...known), currency) : 'in other currencies';
  if (price !== undefined) return lowest;
  return `by ${tiers[0]?.from_weight === undefined ? 'value' : 'weight'}, from ${lowest}`;
}

/** Returns a delivery time in days: `1 to 2`, `from 1`, `up to 2`. */
function daysText({ min_days: least, max_days: most }: Method): string {
  if (most == null) return least == null ? '–' : `from ${least}`;
  if (least == null) return `up to ${most}`;
  return least === most ? String(most) : `${least} to ${most}`;
}

/** The page of shipping methods, and of the flat rates that apply without any. */
export const shippingPage = async (request: PageRequest, formError: FormError | null) => {
  const { tenant } = await request.developer();
  const { shipping } = tenant.settings;
  const body = (
    <>
      <SettingsTabs request={request} here={SHIPPING_PATH} />
      <Methods request={request} methods={shipping.methods ?? []} currency={tenant.currency} />
      <FlatRates f={{ request, formError }} settings={tenant.settings} currencies={tenant.currencies} />
      <CountryNames />
    </>
  );
  const action = [`${SHIPPING_PATH}/new-method`, 'New shipping method'] as const;
  return { ...titleOf(SHIPPING_PATH), body, action };
};

interface MethodsProps {
  readonly request: PageRequest;
  readonly methods: readonly Method[];
  readonly currency: string;
}

const Methods = ({ request, methods, currency }: MethodsProps) => (
  <>
    <h2>Shipping methods</h2>
    <Table
      label="Shipping methods"
      head={['Method', 'Price', 'Delivers to', 'Days', 'Status', 'Order']}
      rows={methods.map((method, n) => [
        <a href={`${SHIPPING_PATH}/methods/${method.id}`}>{clip(method.name, 60)}</a>,
        priceText(method, currency),
        method.countries ? clip(method.countries.join(', '), 40) : 'everywhere',
        daysText(method),
        <State is={method.active ? 'active' : 'inactive'} />,
        n > 0 && (
          <Form
            request={request}
            action={`${SHIPPING_PATH}/methods/${method.id}/up`}
            submit="Move up"
            about={method.name}
            quiet
          />
        ),
      ])}
      empty={
        <p>
          No shipping methods yet: the flat rates below apply. With methods shoppers can choose, such as
          between parcel and express.{' '}
          <ActionLink request={request} href={`${SHIPPING_PATH}/new-method`}>
            Add the first one
          </ActionLink>
        </p>
      }
    />
  </>
);
