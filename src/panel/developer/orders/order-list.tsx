import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import { formatMoney } from '../../../kernel/core/money.ts';
import { type Order, OrderList } from '../../../orders/index.ts';
import {
  clip,
  type Outcome,
  type PageRequest,
  type Pages,
  pageParam,
  State,
  Table,
  type View,
  When,
} from '../../../web/index.ts';
import { downloadCsv } from '../../csv-download.ts';
import { apiQuery, FilterForm, filtersOf, listPath, root, Views } from './order-filters.tsx';

type Placed = z.output<typeof Order>;

/** The page that searches and lists orders. */
export async function ordersPage(request: PageRequest): Promise<View | Outcome> {
  const filters = filtersOf(request);
  const path = `/v1/orders?page=${pageParam(request)}&${apiQuery(filters)}`;
  const answer = await request.api({ path, answer: OrderList });
  if (!answer.ok && answer.trouble.status !== 422) return answer;
  const trouble = answer.ok ? null : answer.trouble;
  const body = (
    <>
      <Views filters={filters} />
      <FilterForm filters={filters} trouble={trouble} />
      {answer.ok && <Found list={answer.value} filters={filters} />}
    </>
  );
  return { title: 'Orders', body, ...(trouble && { status: trouble.status }) };
}

interface FoundProps {
  readonly list: z.output<typeof OrderList>;
  readonly filters: ReturnType<typeof filtersOf>;
}

const Found = ({ list: { data, meta }, filters }: FoundProps) => {
  const filtered = Object.keys(filters).some((name) => name !== 'sort');
  const here = listPath(filters);
  return (
    <>
      <Orders
        orders={data}
        empty={filtered ? <NoneFound /> : <None />}
        pages={{ meta, href: (to) => `${here}${here.includes('?') ? '&' : '?'}page=${to}` }}
      />
      {meta.total > 0 && (
        <p>
          <a href={listPath(filters, EXPORT_PATH)} download>
            Export {meta.total > MAX_EXPORTED ? `the first ${MAX_EXPORTED} orders` : 'these orders'} as CSV
          </a>
        </p>
      )}
    </>
  );
};

const NoneFound = () => (
  <p>
    No orders found. <a href={root}>Show all orders</a>
  </p>
);

const None = () => <p>No orders yet. Orders appear here when a shopper checks out.</p>;

interface OrdersProps {
  readonly orders: readonly Placed[];
  readonly empty: Child;
  /** The pages of the list, where it has any. */
  readonly pages?: Parameters<typeof Pages>[0];
}

/** A table of orders, each linked to its page. */
export const Orders = ({ orders, empty, pages }: OrdersProps) => (
  <Table
    label="Orders"
    head={['Number', 'Placed', 'Customer', 'Status', 'Payment', 'Fulfilment', 'Total']}
    figures={[6]}
    rows={orders.map((order) => [
      <span class="together">
        <a href={`${root}/${order.id}`}>{order.number}</a> {order.test && <State is="test" />}
      </span>,
      <When at={order.created_at} />,
      clip(order.customer.name ?? order.customer.email ?? '–', 40),
      <State is={order.status} />,
      <State is={order.payment_status} />,
      <State is={order.fulfilment_status} />,
      formatMoney(order.totals.grand_total, order.currency),
    ])}
    empty={empty}
    {...(pages && { pages })}
  />
);

/** The path of the list as a file. */
export const EXPORT_PATH = `${root}/export`;
/** The orders that are read from the API at once, and the most that a file has. */
const ORDERS_PER_REQUEST = 100;
const MAX_EXPORTED = 10_000;

/** Sends all orders of the list as a CSV file, page by page. */
export function exportOrders(request: PageRequest): Promise<Outcome> {
  const query = apiQuery(filtersOf(request));
  query.set('limit', String(ORDERS_PER_REQUEST));
  const maxPages = MAX_EXPORTED / ORDERS_PER_REQUEST;
  return downloadCsv(request, { path: `/v1/orders?${query}`, filename: 'orders.csv', maxPages });
}
