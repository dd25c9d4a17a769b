import { type Amount, formatMoney } from '../../../../kernel/values/money.ts';
import {
  ActionLink,
  clip,
  Facts,
  Form,
  type FormError,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  rowsFitting,
  Section,
  State,
  Table,
} from '../../../../web/index.ts';
import { countOf } from '../../../count-of.ts';
import { CountryNames } from '../../../pickers/country-field.tsx';
import { FLAT_RATES_PATH, SettingsTabs, SHIPPING_PATH, shippingTrail, titleOf } from '../tabs.tsx';
import type { Method, Shipping } from './change-shipping.ts';
import { FlatRates, UnusedHint } from './flat-rates.tsx';

/** Returns the lowest of amounts in words, in the main currency. */
function lowestText(amounts: readonly Amount[], currency: string): string {
  const inMain = amounts.map((amount) => (typeof amount === 'number' ? amount : amount[currency]));
  const known = inMain.filter((one) => one !== undefined);
  return known.length > 0 ? formatMoney(Math.min(...known), currency) : 'in other currencies';
}

/** Returns a price in words, in the main currency: `€4.90`, `by weight, from €4.90` for tiers. */
function priceText({ price, tiers = [] }: Method, currency: string): string {
  if (price !== undefined) return lowestText([price], currency);
  const lowest = lowestText(
    tiers.map((tier) => tier.price),
    currency,
  );
  return `by ${tiers[0]?.from_weight === undefined ? 'value' : 'weight'}, from ${lowest}`;
}

/** Returns a delivery time in days: `1 to 2`, `from 1`, `up to 2`. */
function daysText({ min_days: least, max_days: most }: Method): string {
  if (most == null) return least == null ? '–' : `from ${least}`;
  if (least == null) return `up to ${most}`;
  return least === most ? String(most) : `${least} to ${most}`;
}

/** The most methods on one page, and what fits the page budget. */
const METHODS_PER_PAGE = 20;
const METHODS_BYTES = 11_000;
const METHOD_BYTES = 560;

/** The page of shipping methods, and of the flat rates that apply without any. */
export const shippingPage = async (request: PageRequest) => {
  const { tenant } = await request.developer();
  const { shipping } = tenant.settings;
  const body = (
    <>
      <SettingsTabs request={request} here={SHIPPING_PATH} />
      <Methods request={request} methods={shipping.methods ?? []} currency={tenant.currency} />
      <FlatRatesSummary shipping={shipping} currency={tenant.currency} />
    </>
  );
  const action = [`${SHIPPING_PATH}/new-method`, 'New shipping method'] as const;
  return { ...titleOf(SHIPPING_PATH), body, action };
};

/** The page of the flat rates, and of those of single countries. */
export const flatRatesPage = async (request: PageRequest, formError: FormError | null) => {
  const { tenant } = await request.developer();
  const body = (
    <>
      <FlatRates f={{ request, formError }} settings={tenant.settings} currencies={tenant.currencies} />
      <CountryNames />
    </>
  );
  return { title: 'Flat rates', trail: shippingTrail, body };
};

interface SummaryProps {
  readonly shipping: Shipping;
  readonly currency: string;
}

/** The flat rates in words, and the link to their form. */
const FlatRatesSummary = ({ shipping, currency }: SummaryProps) => {
  const { flat, free_over, by_country = {} } = shipping;
  const countries = Object.keys(by_country).length;
  return (
    <Section id="flat-rates" title="Flat rates" card>
      <UnusedHint shipping={shipping} />
      <Facts
        of={{
          Price: lowestText([flat], currency),
          'Free from': free_over == null ? 'never' : lowestText([free_over], currency),
          'Other prices': countries === 0 ? 'none' : countOf(countries, 'country'),
        }}
      />
      <p>
        <a class="button secondary" href={FLAT_RATES_PATH}>
          Flat rates and prices by country
        </a>
      </p>
    </Section>
  );
};

interface MethodsProps {
  readonly request: PageRequest;
  readonly methods: readonly Method[];
  readonly currency: string;
}

/** Returns the texts of a method's row: its name and identifier are in it twice. */
const textsOf = ({ id, name, countries = [] }: Method): string =>
  [name, name, id, id, clip(countries.join(', '), 40)].join('');

const Methods = ({ request, methods, currency }: MethodsProps) => {
  const size = rowsFitting(methods.map(textsOf), {
    most: METHODS_PER_PAGE,
    bytes: METHODS_BYTES,
    each: METHOD_BYTES,
  });
  const { shown, meta } = pageOf(methods, pageAsked(request), size);
  const above = (method: Method) => methods[methods.indexOf(method) - 1];
  return (
    <>
      <h2>Shipping methods</h2>
      <Table
        label="Shipping methods"
        head={['Method', 'Price', 'Delivers to', 'Days', 'Status', 'Order']}
        rows={shown.map((method) => [
          <a href={`${SHIPPING_PATH}/methods/${method.id}`}>{clip(method.name, 60)}</a>,
          priceText(method, currency),
          method.countries ? clip(method.countries.join(', '), 40) : 'everywhere',
          daysText(method),
          <State is={method.active ? 'active' : 'inactive'} />,
          <MoveUp request={request} method={method} above={above(method)} page={meta.page} />,
        ])}
        empty={<NoMethods request={request} />}
      />
      {meta.total_pages > 1 && <Pages meta={meta} href={(page) => `${SHIPPING_PATH}?page=${page}`} />}
    </>
  );
};

interface MoveUpProps {
  readonly request: PageRequest;
  readonly method: Method;
  /** The method before it; the first one has none. */
  readonly above: Method | undefined;
  readonly page: number;
}

const MoveUp = ({ request, method, above, page }: MoveUpProps) =>
  above && (
    <Form
      request={request}
      action={`${SHIPPING_PATH}/methods/${method.id}/up`}
      submit="Move up"
      about={method.name}
      quiet
    >
      <input type="hidden" name="before" value={above.id} />
      {page > 1 && <input type="hidden" name="_page" value={String(page)} />}
    </Form>
  );

const NoMethods = ({ request }: { readonly request: PageRequest }) => (
  <p>
    No shipping methods yet: the flat rates below apply. With methods shoppers can choose, such as between
    parcel and express.{' '}
    <ActionLink request={request} href={`${SHIPPING_PATH}/new-method`}>
      Add the first one
    </ActionLink>
  </p>
);
