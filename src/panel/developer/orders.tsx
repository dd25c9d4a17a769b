import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { formatMoney } from '../../kernel/core/money.ts';
import { database } from '../../kernel/data/database.ts';
import { linesOf, ORDER_STATUSES, Order, type OrderLineRow, OrderList } from '../../orders/index.ts';
import {
  clip,
  Facts,
  Form,
  form,
  getPage,
  lineOptions,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  pageParam,
  State,
  Table,
  Totals,
  When,
} from '../../web/index.ts';

type Placed = z.output<typeof Order>;

const root = '/developer/orders';
/** Line items of an order on one page. */
const PAGE_SIZE = 20;

const listPage = async (request: PageRequest) => {
  const [status, number] = [request.query('status'), request.query('number').trim()];
  const search = new URLSearchParams({ ...(status ? { status } : {}), ...(number ? { number } : {}) });
  const page = pageParam(request);
  const answer = await request.api({ path: `/v1/orders?page=${page}&${search}`, answer: OrderList });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const body = (
    <>
      <search>
        <form class="search" action={root}>
          <input
            name="number"
            inputmode="numeric"
            value={number}
            aria-label="Order number"
            placeholder="Order number"
          />
          <select name="status" aria-label="Status">
            <option value="">all</option>
            {ORDER_STATUSES.map((name) => (
              <option value={name} selected={name === status}>
                {name}
              </option>
            ))}
          </select>
          <button type="submit">Search</button>
        </form>
      </search>
      <Orders orders={data} empty={search.size > 0 ? <NoneFound /> : <None />} />
      <Pages meta={meta} href={(to) => `${root}?${search}&page=${to}`} />
    </>
  );
  return { title: 'Orders', body };
};

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
    head={['Number', 'Placed', 'Customer', 'Status', 'Payment', 'Total']}
    figures={[5]}
    rows={orders.map((order) => [
      <span class="together">
        <a href={`${root}/${order.id}`}>{order.number}</a> {order.test && <State is="test" />}
      </span>,
      <When at={order.created_at} />,
      clip(order.customer.name ?? order.customer.email ?? '–', 60),
      <State is={order.status} />,
      <State is={order.payment_status} />,
      formatMoney(order.totals.grand_total, order.currency),
    ])}
    empty={empty}
  />
);

interface LinesProps {
  readonly order: Placed;
  /** The stored rows of the lines: they have the titles of files that are not paid for yet. */
  readonly kept: readonly OrderLineRow[];
  readonly page: number;
}

const Lines = ({ order, kept, page }: LinesProps) => {
  const { shown, meta } = pageOf(order.items, page, PAGE_SIZE);
  return (
    <>
      <Table
        label="Lines"
        head={['Product', 'SKU', 'Quantity', 'Price', 'Total']}
        figures={[2, 3, 4]}
        rows={shown.map((item) => [
          <>
            {clip(item.name)}
            {Object.keys(item.options).length > 0 && (
              <small class="hint">
                {' '}
                {clip(lineOptions(item.options, kept.find(({ id }) => id === item.id)?.links ?? []), 160)}
              </small>
            )}
          </>,
          clip(item.sku, 40),
          item.quantity,
          formatMoney(item.unit_price, order.currency),
          formatMoney(item.total, order.currency),
        ])}
      />
      {meta.total_pages > 1 && <Pages meta={meta} href={(to) => `${root}/${order.id}?page=${to}`} />}
    </>
  );
};

/** Returns a postal address on one line. */
const addressOf = (to: NonNullable<Placed['addresses']['shipping']>): string =>
  [
    [to.first_name, to.last_name],
    [to.company],
    [to.line1],
    [to.line2],
    [to.postal_code, to.city],
    [to.region],
    [to.country],
  ]
    .map((parts) => parts.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(', ');

/** The customer, the shipping address and the totals of an order. */
const About = ({ order }: { order: Placed }) => {
  const { customer, addresses } = order;
  return (
    <div class="beside">
      <section aria-labelledby="customer">
        <h2 id="customer">Customer</h2>
        <Facts
          of={{
            Name: customer.name ?? '–',
            'E-mail': customer.email ?? '–',
            Phone: customer.phone ?? '–',
            Address: addresses.shipping ? addressOf(addresses.shipping) : '–',
          }}
        />
      </section>
      <section aria-labelledby="totals">
        <h2 id="totals">Totals</h2>
        <Totals {...order} />
      </section>
    </div>
  );
};

const one = (request: PageRequest): string => `/v1/orders/${encodeURIComponent(request.param('id'))}`;

const orderPage = async (request: PageRequest) => {
  const [answer, kept] = await Promise.all([
    request.api({ path: one(request), answer: Order }),
    linesOf(
      { db: database(request.env, request.tenant.id), tenantId: request.tenant.id },
      request.param('id'),
    ),
  ]);
  if (!answer.ok) return answer;
  const order = answer.value;
  const page = pageAsked(request);
  const body = (
    <>
      <p>
        <State is={order.status} />{' '}
        {order.payment_status !== order.status && <State is={order.payment_status} />}{' '}
        {order.test && <State is="test" />} placed <When at={order.created_at} />
      </p>
      <Lines order={order} kept={kept} page={page} />
      <About order={order} />
      {order.status !== 'cancelled' && (
        <section aria-labelledby="cancel">
          <h2 id="cancel">Cancel</h2>
          <p>The payment is refunded first. Then the stock is restored.</p>
          <Form request={request} action={`${root}/${order.id}/cancel`} submit="Cancel order" danger quiet />
        </section>
      )}
    </>
  );
  return { title: `Order ${order.number}`, trail: [[root, 'Orders']] as const, body };
};

async function cancel(request: PageRequest): Promise<Outcome> {
  const once = request.sent._once?.[0];
  const cancelled = await request.api({ method: 'POST', path: `${one(request)}/cancel`, once });
  return cancelled.ok ? { to: `${root}/${request.param('id')}`, note: 'cancelled' } : cancelled;
}

const at = (path: string) => ({ path: `/developer/orders${path}`, audience: 'developer' }) as const;

/** The pages that list, show and cancel orders. */
export const orderPages: readonly Page[] = [
  getPage(at(''), listPage),
  getPage(at('/:id'), orderPage),
  form({ ...at('/:id/cancel'), form: z.object({}) }, orderPage, cancel),
];
