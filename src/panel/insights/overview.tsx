import { LowStock, ProductList } from '../../catalog/index.ts';
import { Insights, PERIODS, type Period } from '../../insights/index.ts';
import { groupDigits } from '../../kernel/text/text.ts';
import { formatMoney } from '../../kernel/values/money.ts';
import { OrderList } from '../../orders/index.ts';
import { lowStockOf } from '../../tenants/index.ts';
import { allAnswers, getPage, type Page, type PageRequest, Part, Table, Tabs } from '../../web/index.ts';
import { countOf } from '../count-of.ts';
import { Orders } from '../developer/orders/list/order-list.tsx';
import { applicationsOf } from './applications-of.ts';
import { BarChart, Stat } from './charts.tsx';
import { BestSellers, CallsByApplication, LIST_LENGTH, RunningOut, type Shown } from './overview-lists.tsx';
import { SetupChecklist, takesPayments } from './setup-checklist.tsx';

const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
};
const NUMBERS = 'numbers';

type Sales = Shown['sales'][number];

/** Returns the label of a part of the period, in UTC: an hour ("14:00") or a day ("22 Nov"). */
const labelOf = (period: Period, from: string): string =>
  period === '24h'
    ? from.slice(11, 16)
    : new Date(from).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const hrefOf = (period: Period): string => `/developer?period=${period}`;

const Periods = ({ period }: { period: Period }) => (
  <Tabs
    label="Period"
    here={hrefOf(period)}
    links={PERIODS.map((one) => [hrefOf(one), PERIOD_NAMES[one]] as const)}
  />
);

const SalesStats = ({ of: { currency, previous, ...sums } }: { of: Sales }) => (
  <dl class="stats">
    <Part name="stats" />
    <Stat name="Sales" value={formatMoney(sums.sales, currency)} now={sums.sales} before={previous.sales} />
    <Stat name="Orders" value={groupDigits(sums.orders)} now={sums.orders} before={previous.orders} />
    <Stat
      name="Average basket"
      value={sums.average_order === null ? '–' : formatMoney(sums.average_order, currency)}
      now={sums.average_order}
      before={previous.average_order}
    />
    <Stat
      name="Abandoned carts"
      value={groupDigits(sums.abandoned_carts)}
      now={sums.abandoned_carts}
      before={previous.abandoned_carts}
    />
  </dl>
);

/** Sums in the currencies beside the main one. */
const OtherCurrencies = ({ of }: { of: readonly Sales[] }) =>
  of.length === 0 ? null : (
    <Table
      label="Other currencies"
      head={['Currency', 'Sales', 'Before', 'Orders', 'Average basket', 'Abandoned carts']}
      figures={[1, 2, 3, 4, 5]}
      rows={of.map(({ currency, sales, previous, orders, average_order, abandoned_carts }) => [
        currency,
        formatMoney(sales, currency),
        formatMoney(previous.sales, currency),
        groupDigits(orders),
        average_order === null ? '–' : formatMoney(average_order, currency),
        groupDigits(abandoned_carts),
      ])}
    />
  );

interface ChartsProps {
  readonly insights: Shown;
  readonly main: Sales;
  readonly hasSold: boolean;
}

/** The highest value and its place, in words. */
function peak(
  values: readonly number[],
  labels: readonly string[],
  write: (value: number) => string,
): string {
  const most = Math.max(0, ...values);
  return most === 0 ? 'none' : `up to ${write(most)} (${labels[values.indexOf(most)]})`;
}

const Charts = ({ insights: { period, api }, main, hasSold }: ChartsProps) => {
  const labels = main.parts.map(({ from }) => labelOf(period, from));
  const ends = [labels[0] ?? '', labels.at(-1) ?? ''] as const;
  const sales = main.parts.map((part) => part.sales);
  const calls = api.parts.map((part) => part.calls);
  const errors = api.parts.map((part) => part.client_errors + part.server_errors);
  const by = period === '24h' ? 'hour' : 'day';
  const money = (value: number) => formatMoney(value, main.currency);
  return (
    <>
      <div class="beside">
        {hasSold && (
          <BarChart
            title={`Sales by ${by} (UTC), ${main.currency}`}
            values={sales}
            ends={ends}
            described={NUMBERS}
            summary={`Sales ${peak(sales, labels, money)}`}
          />
        )}
        <BarChart
          title={`API calls by ${by} (UTC), errors in red`}
          values={calls}
          errors={errors}
          ends={ends}
          described={NUMBERS}
          summary={`Calls ${peak(calls, labels, groupDigits)}; errors ${peak(errors, labels, groupDigits)}`}
        />
      </div>
      <details class="numbers">
        <summary id={NUMBERS}>Numbers by {by} (UTC)</summary>
        <ul>
          {main.parts.map((part, n) => {
            const called = calls[n] ?? 0;
            return part.orders === 0 && part.sales === 0 && called === 0 ? null : (
              <li>
                {labels[n]}: {money(part.sales)} by {countOf(part.orders, 'order')}; {countOf(called, 'call')}
                , {countOf(errors[n] ?? 0, 'error')}
              </li>
            );
          })}
        </ul>
        <p class="hint">A {by} without orders and calls is left out.</p>
      </details>
    </>
  );
};

/** Reads what the page shows besides the tenant. */
const readAll = (request: PageRequest, period: Period) =>
  allAnswers({
    insights: request.api({ path: `/v1/insights?period=${period}`, answer: Insights }),
    low: request.api({ path: `/v1/inventory/low-stock?limit=${LIST_LENGTH}`, answer: LowStock }),
    orders: request.api({ path: `/v1/orders?limit=${LIST_LENGTH}`, answer: OrderList }),
    products: request.api({ path: '/v1/products?status=all&limit=1', answer: ProductList }),
    applications: applicationsOf(request),
  });

const overviewPage = async (request: PageRequest) => {
  const period = PERIODS.find((one) => one === request.query('period')) ?? '24h';
  const [{ tenant }, read] = await Promise.all([request.developer(), readAll(request, period)]);
  if (!read.ok) return read;
  const { insights, low, orders, products, applications } = read.value;
  const [main, ...others] = insights.sales;
  if (!main) throw new Error('The insights have no main currency');
  const hasSold = orders.meta.total > 0;
  const hasProducts = products.meta.total > 0;
  const done = {
    products: hasProducts,
    payments: takesPayments(tenant.settings),
    token: applications.length > 0,
    orders: hasSold,
  };
  const body = (
    <>
      {hasSold ? <Periods period={period} /> : <SetupChecklist request={request} done={done} />}
      {hasSold && <SalesStats of={main} />}
      <OtherCurrencies of={others} />
      {(hasSold || insights.api.calls > 0) && <Charts insights={insights} main={main} hasSold={hasSold} />}
      <div class="beside">
        {hasSold && <BestSellers of={insights.best_sellers} />}
        {hasProducts && <RunningOut of={low.data} threshold={lowStockOf(tenant.settings)} />}
      </div>
      <CallsByApplication of={insights.api.applications} all={applications} />
      {hasSold && (
        <>
          <h2>Latest orders</h2>
          <Orders orders={orders.data} empty={null} />
        </>
      )}
    </>
  );
  return { title: 'Overview', body };
};

/** The first page of the developer panel. */
export const overviewPages: readonly Page[] = [
  getPage({ path: '/developer', audience: 'developer' }, overviewPage),
];
