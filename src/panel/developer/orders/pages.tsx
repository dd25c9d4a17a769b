import { z } from 'zod';
import { formatMoney } from '../../../kernel/core/money.ts';
import { database } from '../../../kernel/data/database.ts';
import { linesOf, Order, type OrderLineRow, OrderTimeline } from '../../../orders/index.ts';
import {
  clip,
  Facts,
  type FormError,
  form,
  getPage,
  lineOptions,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  State,
  Table,
  Totals,
  When,
} from '../../../web/index.ts';
import { root } from './order-filters.tsx';
import { exportOrders, ordersPage } from './order-list.tsx';
import {
  Confirmed,
  Fulfil,
  FulfilForm,
  Fulfilments,
  fulfilmentBody,
  fulfilmentTrouble,
  Timeline,
} from './order-parts.tsx';

import { makeRefund, RefundForm, Refunds, refundPage } from './refund-pages.tsx';

type Placed = z.output<typeof Order>;

/** Line items of an order on one page. */
const PAGE_SIZE = 20;

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

/** The customer, the addresses, the note and the totals of an order. */
const About = ({ order }: { order: Placed }) => {
  const { customer, addresses, billing_address, note, tags } = order;
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
            ...(billing_address && { Billing: addressOf(billing_address) }),
            ...(note !== null && { Note: note }),
            ...(tags.length > 0 && { Tags: tags.join(', ') }),
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

/** An order's states, and when it was placed. */
const States = ({ order }: { readonly order: Order }) => (
  <p>
    <State is={order.status} /> {order.payment_status !== order.status && <State is={order.payment_status} />}{' '}
    <State is={order.fulfilment_status} /> {order.test && <State is="test" />} placed{' '}
    <When at={order.created_at} />
  </p>
);

const orderPage = async (request: PageRequest, trouble: FormError | null = null) => {
  const [answer, timeline, kept] = await Promise.all([
    request.api({ path: one(request), answer: Order }),
    request.api({ path: `${one(request)}/timeline`, answer: OrderTimeline }),
    linesOf(
      { db: database(request.env, request.tenant.id), tenantId: request.tenant.id },
      request.param('id'),
    ),
  ]);
  if (!answer.ok) return answer;
  const order = answer.value;
  const page = pageAsked(request);
  const parts = { f: { request, trouble }, order, here: `${root}/${order.id}` };
  const body = (
    <>
      <States order={order} />
      <Lines order={order} kept={kept} page={page} />
      <About order={order} />
      <Fulfil {...parts} />
      <Fulfilments {...parts} />
      <Refunds order={order} here={parts.here} />
      {timeline.ok && <Timeline entries={timeline.value.data} items={order.items} />}
      {order.status !== 'cancelled' && (
        <section aria-labelledby="cancel">
          <h2 id="cancel">Cancel</h2>
          <Confirmed
            request={request}
            action={`${parts.here}/cancel`}
            ask="Cancel this order"
            text="What is left of the payment is refunded first. Then the stock is restored. This can't be undone."
            submit="Cancel order"
          />
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

async function fulfil(request: PageRequest, input: z.output<typeof FulfilForm>): Promise<Outcome> {
  const body = fulfilmentBody(request.sent, input);
  const once = request.sent._once?.[0];
  const made = await request.api({ method: 'POST', path: `${one(request)}/fulfilments`, body, once });
  return made.ok
    ? { to: `${root}/${request.param('id')}`, note: 'fulfilled' }
    : fulfilmentTrouble(made.trouble, body.items);
}

/** Returns the action that sets a fulfilment's status. */
const setStatus =
  (status: 'delivered' | 'cancelled') =>
  async (request: PageRequest): Promise<Outcome> => {
    const path = `${one(request)}/fulfilments/${encodeURIComponent(request.param('fulfilment'))}`;
    const changed = await request.api({ method: 'PATCH', path, body: { status } });
    return changed.ok ? { to: `${root}/${request.param('id')}`, note: 'saved' } : changed;
  };

const at = (path: string) => ({ path: `/developer/orders${path}`, audience: 'developer' }) as const;

/** The pages that list, show, fulfil, refund and cancel orders. */
export const orderPages: readonly Page[] = [
  getPage(at(''), ordersPage),
  // Before the page of an order, whose path it also matches.
  getPage(at('/export'), exportOrders),
  getPage(at('/:id'), orderPage),
  form({ ...at('/:id/cancel'), form: z.object({}) }, orderPage, cancel),
  form({ ...at('/:id/fulfil'), form: FulfilForm }, orderPage, fulfil),
  getPage(at('/:id/refund'), refundPage),
  form({ ...at('/:id/refund'), form: RefundForm }, refundPage, makeRefund),
  form(
    { ...at('/:id/fulfilments/:fulfilment/delivered'), form: z.object({}) },
    orderPage,
    setStatus('delivered'),
  ),
  form(
    { ...at('/:id/fulfilments/:fulfilment/cancel'), form: z.object({}) },
    orderPage,
    setStatus('cancelled'),
  ),
];
