import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import { formatMoney } from '../../../../kernel/values/money.ts';
import { type Order, OrderList } from '../../../../orders/index.ts';
import {
  clip,
  type Outcome,
  type PageRequest,
  type PagesProps,
  pageParam,
  State,
  Table,
  type View,
  When,
} from '../../../../web/index.ts';
import { downloadList, ExportLink } from '../../../csv-download.tsx';
import { filteredList, filteredPages, filteredPath, NoneFound, Selectable } from '../../../search-form.tsx';
import { apiQuery, FilterForm, filtersOf, listPath, root, Views, viewOf } from './order-filters.tsx';

/** Orders on one page: the page stays within its size also with long names. */
const PAGE_SIZE = 15;

type Placed = z.output<typeof Order>;

/** The page that searches and lists orders. */
export async function ordersPage(request: PageRequest): Promise<View | Outcome> {
  const filters = filtersOf(request);
  const path = `/v1/orders?page=${pageParam(request)}&limit=${PAGE_SIZE}&${apiQuery(filters)}`;
  const answer = await request.api({ path, answer: OrderList });
  return filteredList({
    title: 'Orders',
    section: viewOf(filters),
    answer,
    above: (formError) => (
      <>
        <Views filters={filters} />
        <FilterForm filters={filters} formError={formError} />
      </>
    ),
    list: (found) => <Found request={request} list={found} filters={filters} />,
  });
}

interface FoundProps {
  readonly request: PageRequest;
  readonly list: z.output<typeof OrderList>;
  readonly filters: ReturnType<typeof filtersOf>;
}

/** The page that changes several orders. */
export const BULK_PATH = `${root}/bulk`;

const Found = ({ request, list: { data, meta }, filters }: FoundProps) => {
  const mayChange = request.may('post', BULK_PATH);
  const table = (
    <Orders
      orders={data}
      empty={
        <NoneFound filters={filters} things="orders" all={root}>
          <None />
        </NoneFound>
      }
      pages={filteredPages(root, filters, meta)}
      selectable={mayChange}
    />
  );
  return (
    <>
      <Selectable action={BULK_PATH} selectable={mayChange && data.length > 0} list={table} />
      <ExportLink
        request={request}
        href={filteredPath(EXPORT_PATH, filters)}
        total={meta.total}
        things="orders"
      />
    </>
  );
};

const None = () => (
  <p>
    No open orders. They appear here when a shopper checks out.{' '}
    <a href={listPath({ archived: 'all' })}>Show archived orders too</a>
  </p>
);

interface OrdersProps {
  readonly orders: readonly Placed[];
  readonly empty: Child;
  /** The pages of the list, where it has any. */
  readonly pages?: PagesProps;
  /** Whether each order has a checkbox, of the form around the table. */
  readonly selectable?: boolean;
}

/** The payment of an order, with the order's own status where that says more: pending, or cancelled. */
const PaymentState = ({ order: { status, payment_status } }: { readonly order: Placed }) => (
  <>
    {status !== 'paid' && <State is={status} />}{' '}
    {payment_status !== 'unpaid' && <State is={payment_status} />}
  </>
);

/** A table of orders, each linked to its page. */
export const Orders = ({ orders, empty, pages, selectable = false }: OrdersProps) => (
  <Table
    label="Orders"
    head={[
      ...(selectable ? ['Select'] : []),
      'Number',
      'Placed',
      'Customer',
      'Payment',
      'Fulfilment',
      'Total',
    ]}
    figures={[selectable ? 6 : 5]}
    rows={orders.map((order) => [
      ...(selectable
        ? [<input type="checkbox" name="ids" value={order.id} aria-label={`Choose order ${order.number}`} />]
        : []),
      <div>
        <span class="together">
          <a href={`${root}/${order.id}`}>{order.number}</a> {order.test && <State is="test" />}
        </span>{' '}
        {order.archived_at !== null && <State is="archived" />}
      </div>,
      <When at={order.created_at} />,
      clip(order.customer.name ?? order.customer.email ?? '–', 40),
      <PaymentState order={order} />,
      <State is={order.fulfilment_status} />,
      formatMoney(order.totals.grand_total, order.currency),
    ])}
    empty={empty}
    {...(pages && { pages })}
  />
);

const EXPORT_PATH = `${root}/export`;

/** Sends the orders of the list as a CSV file. */
export const exportOrders = (request: PageRequest): Promise<Outcome> =>
  downloadList(request, { path: '/v1/orders', query: apiQuery(filtersOf(request)), filename: 'orders.csv' });
