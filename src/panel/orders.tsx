import { z } from 'zod';
import { ORDER_STATUSES, Order, OrderList } from '../orders/index.ts';
import { Form } from './form.tsx';
import { form, look, type Outcome, type Page, type Visit } from './page.ts';
import { money, Pages, State, Table, When } from './parts.tsx';

type Placed = z.output<typeof Order>;

const root = '/developer/orders';

const listPage = async (visit: Visit) => {
  const [status, number] = [visit.query('status'), visit.query('number').trim()];
  const search = new URLSearchParams({ ...(status ? { status } : {}), ...(number ? { number } : {}) });
  const page = encodeURIComponent(visit.query('page') || '1');
  const answer = await visit.api({ path: `/v1/orders?page=${page}&${search}`, answer: OrderList });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const rows = data.map((order) => [
    <a href={`${root}/${order.id}`}>
      {order.number}
      {order.test && ' (test)'}
    </a>,
    <State is={order.status} />,
    order.customer.name ?? order.customer.email ?? '',
    money(order.totals.grand_total, order.currency),
    <When at={order.created_at} />,
  ]);
  const body = (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: hono/jsx has no <search> yet */}
      <form class="search" action={root} role="search">
        <input name="number" inputmode="numeric" value={number} aria-label="Order number" />
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
      <Table label="Orders" head={['Number', 'Status', 'Customer', 'Total', 'Placed']} rows={rows} />
      <Pages meta={meta} href={(to) => `${root}?${search}&page=${to}`} />
    </>
  );
  return { title: 'Orders', body };
};

/** What was chosen of a line, in words. */
const optionsOf = (options: Record<string, unknown>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const Lines = ({ order }: { order: Placed }) => (
  <Table
    label="Lines"
    head={['Product', 'SKU', 'Quantity', 'Price', 'Total']}
    rows={order.items.map((item) => [
      <>
        {item.name}
        {Object.keys(item.options).length > 0 && <small class="hint"> {optionsOf(item.options)}</small>}
      </>,
      item.sku,
      item.quantity,
      money(item.unit_price, order.currency),
      money(item.total, order.currency),
    ])}
  />
);

const Facts = ({ title, facts }: { title: string; facts: Readonly<Record<string, string>> }) => (
  <section aria-label={title}>
    <h2>{title}</h2>
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  </section>
);

function totalsOf({ totals, currency, coupon }: Placed): Record<string, string> {
  const { subtotal, discount, shipping, tax, tax_included, grand_total } = totals;
  return {
    Subtotal: money(subtotal, currency),
    [coupon ? `Discount (${coupon})` : 'Discount']: money(discount, currency),
    Shipping: money(shipping, currency),
    [tax_included ? 'Tax, included' : 'Tax']: money(tax, currency),
    Total: money(grand_total, currency),
  };
}

const one = (visit: Visit): string => `/v1/orders/${encodeURIComponent(visit.param('id'))}`;

const orderPage = async (visit: Visit) => {
  const answer = await visit.api({ path: one(visit), answer: Order });
  if (!answer.ok) return answer;
  const order = answer.value;
  const { customer, addresses } = order;
  const body = (
    <>
      <p>
        <State is={order.status} /> <State is={order.payment_status} /> {order.test && <State is="test" />}{' '}
        placed <When at={order.created_at} />
      </p>
      <Lines order={order} />
      <Facts title="Totals" facts={totalsOf(order)} />
      <Facts
        title="Customer"
        facts={{
          Name: customer.name ?? '',
          'E-mail': customer.email ?? '',
          Phone: customer.phone ?? '',
          Address: Object.values(addresses.shipping ?? {}).join(', '),
        }}
      />
      {order.status !== 'cancelled' && (
        <section aria-labelledby="cancel">
          <h2 id="cancel">Cancel</h2>
          <p>What was paid is refunded first; the stock is given back.</p>
          <Form visit={visit} action={`${root}/${order.id}/cancel`} submit="Cancel order" danger quiet />
        </section>
      )}
    </>
  );
  return { title: `Order ${order.number}`, body };
};

async function cancel(visit: Visit): Promise<Outcome> {
  const once = visit.sent._once?.[0];
  const cancelled = await visit.api({ method: 'POST', path: `${one(visit)}/cancel`, once });
  return cancelled.ok ? { to: `${root}/${visit.param('id')}`, note: 'cancelled' } : cancelled;
}

const at = (path: string) => ({ path: `/developer/orders${path}`, audience: 'developer' }) as const;

/** Orders: to be read, found and cancelled. */
export const orderPages: readonly Page[] = [
  look(at(''), listPage),
  look(at('/:id'), orderPage),
  form({ ...at('/:id/cancel'), form: z.object({}) }, orderPage, cancel),
];
