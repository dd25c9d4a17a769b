import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import { formatMoney } from '../../../kernel/core/money.ts';
import { FULFILMENT_STATUSES, ORDER_STATUSES, type Order, OrderList } from '../../../orders/index.ts';
import { clip, type PageRequest, Pages, pageParam, State, Table, When } from '../../../web/index.ts';

type Placed = z.output<typeof Order>;

/** The path of the list. */
export const root = '/developer/orders';

/** The page that searches and lists orders. */
export const ordersPage = async (request: PageRequest) => {
  const chosen = { status: request.query('status'), fulfilment_status: request.query('fulfilment_status') };
  const q = request.query('q').trim();
  const search = new URLSearchParams(Object.entries({ q, ...chosen }).filter(([, value]) => value !== ''));
  const page = pageParam(request);
  const answer = await request.api({ path: `/v1/orders?page=${page}&${search}`, answer: OrderList });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const body = (
    <>
      <search>
        <form class="search" action={root}>
          <input
            type="search"
            name="q"
            value={q}
            maxlength={255}
            aria-label="Number, e-mail, name or SKU"
            placeholder="Number, e-mail, name or SKU"
          />
          <Select name="status" label="Status" options={ORDER_STATUSES} value={chosen.status} />
          <Select
            name="fulfilment_status"
            label="Fulfilment"
            options={FULFILMENT_STATUSES}
            value={chosen.fulfilment_status}
          />
          <button type="submit">Search</button>
        </form>
      </search>
      <Orders orders={data} empty={search.size > 0 ? <NoneFound /> : <None />} />
      <Pages meta={meta} href={(to) => `${root}?${search}&page=${to}`} />
    </>
  );
  return { title: 'Orders', body };
};

interface SelectProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  readonly value: string;
}

/** A filter of the list. */
const Select = ({ name, label, options, value }: SelectProps) => (
  <select name={name} aria-label={label}>
    <option value="">{label}: all</option>
    {options.map((one) => (
      <option value={one} selected={one === value}>
        {one.replaceAll('_', ' ')}
      </option>
    ))}
  </select>
);

const NoneFound = () => (
  <p>
    No orders found. <a href={root}>Show all orders</a>
  </p>
);

const None = () => <p>No orders yet. Orders appear here when a shopper checks out.</p>;

/** A table of orders, each linked to its page. */
export const Orders = ({ orders, empty }: { orders: readonly Placed[]; empty: Child }) => (
  <Table
    label="Orders"
    head={['Number', 'Placed', 'Customer', 'Status', 'Payment', 'Fulfilment', 'Total']}
    figures={[6]}
    rows={orders.map((order) => [
      <span class="together">
        <a href={`${root}/${order.id}`}>{order.number}</a> {order.test && <State is="test" />}
      </span>,
      <When at={order.created_at} />,
      clip(order.customer.name ?? order.customer.email ?? '–', 60),
      <State is={order.status} />,
      <State is={order.payment_status} />,
      <State is={order.fulfilment_status.replaceAll('_', ' ')} />,
      formatMoney(order.totals.grand_total, order.currency),
    ])}
    empty={empty}
  />
);
