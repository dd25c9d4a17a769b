import { z } from 'zod';
import { formatMoney, toNumber } from '../../../kernel/values/money.ts';
import {
  EXTERNAL,
  leftOf,
  type OrderWithPayments,
  orderById,
  type PaymentRow,
  paymentOfOrder,
} from '../../../orders/index.ts';
import {
  asFormError,
  clip,
  type Outcome,
  type Page,
  type PageRequest,
  postOnce,
} from '../../../web/index.ts';
import { confirmPages } from '../../confirm.tsx';
import { tenantDatabase } from '../../tenant-database.ts';
import { nameOf, partText } from './fulfilments/fulfilments.tsx';
import { root } from './list/order-filters.tsx';
import { loadOrder, orderPath, orderTrail } from './order-path.ts';
import { formErrorOf } from './refunds/refund-choice.tsx';

/** Returns what cancelling an order means, with the amount that is paid back. */
function consequences(order: OrderWithPayments): string {
  const payment = paymentOfOrder(order);
  if (!payment) return 'Nothing was paid. The reserved stock becomes available again.';
  const left = leftOf(payment, order.refunds);
  const money =
    left > 0
      ? `${amountIn(payment, left)} will be paid back to the customer through ${payment.provider}. Then the items return to stock.`
      : `${paidBack(order, payment)} Items that have not returned go back to stock.`;
  return `${money}${shippedText(order)}`;
}

const amountIn = ({ currency }: PaymentRow, minor: number): string =>
  formatMoney(toNumber(minor, currency), currency);

/** Says whether a payment of which nothing is left was paid back, is being paid back, or was of nothing. */
function paidBack({ refunds }: OrderWithPayments, payment: PaymentRow): string {
  if (payment.amount === 0) return 'Nothing was paid.';
  const open = refunds.filter(({ paymentId, status }) => paymentId === payment.id && status === 'pending');
  const amount = open.reduce((sum, one) => sum + one.amount, 0);
  return amount > 0
    ? `${amountIn(payment, amount)} is being paid back already.`
    : 'Everything was paid back already.';
}

/** Says how many units are on their way to the customer: the stock counts them in again all the same. */
function shippedText({ lines }: OrderWithPayments): string {
  const units = lines.reduce((sum, { fulfilled }) => sum + fulfilled, 0);
  return units === 0 ? '' : ` ${units} ${units === 1 ? 'unit was' : 'units were'} shipped already.`;
}

/** Returns whether an order's money must be paid back in the tenant's own checkout before it can be cancelled. */
function isPaidElsewhere(order: OrderWithPayments): boolean {
  const payment = paymentOfOrder(order);
  return payment?.provider === EXTERNAL && (payment.amount === 0 || leftOf(payment, order.refunds) > 0);
}

const PAID_ELSEWHERE =
  'The order was paid in your own checkout. Pay it back there: once your checkout reports the refund, the order is cancelled.';

async function cancelling(request: PageRequest) {
  const found = await orderById(tenantDatabase(request), request.param('id'));
  if (!found.ok) return { formError: formErrorOf(found.failure) };
  const { row } = found.value;
  const here = `${root}/${row.id}`;
  if (row.status === 'cancelled') return asFormError('The order is cancelled already.', 409);
  if (isPaidElsewhere(found.value)) return asFormError(PAID_ELSEWHERE, 409);
  return {
    title: `Cancel order ${row.number}?`,
    trail: orderTrail(row),
    body: (
      <p>
        <strong>{consequences(found.value)}</strong> This can't be undone.
      </p>
    ),
    fields: <input type="hidden" name="shown" value={consequences(found.value)} />,
    submit: 'Cancel order',
    keep: [here, 'Keep the order'] as const,
  };
}

/** The form that cancels an order, with the consequences that its page showed. */
const CancelForm = z.object({ shown: z.string().optional() });

/** Cancels an order, if that still means what the page said. */
async function cancel(request: PageRequest, { shown }: z.output<typeof CancelForm>): Promise<Outcome> {
  const found = await orderById(tenantDatabase(request), request.param('id'));
  const isStale = found.ok && shown !== undefined && consequences(found.value) !== shown;
  // A repeated form finds the order cancelled: its key returns what it did.
  if (isStale && found.value.row.status !== 'cancelled') {
    return asFormError('The order has changed. Nothing is cancelled yet. Read what happens now.', 409);
  }
  const cancelled = await postOnce(request, { path: `${orderPath(request)}/cancel` });
  return cancelled.ok ? { to: `${root}/${request.param('id')}`, note: 'cancelled' } : cancelled;
}

async function cancellingParcel(request: PageRequest) {
  const answer = await loadOrder(request);
  if (!answer.ok) return answer;
  const order = answer.value;
  const parcel = order.fulfilments.find(({ id }) => id === request.param('fulfilment'));
  if (!parcel) return asFormError('Fulfilment not found.', 404);
  const here = `${root}/${order.id}`;
  return {
    title: `Cancel ${nameOf(parcel, order)} of order ${order.number}?`,
    trail: orderTrail(order),
    body: (
      <p>
        {clip(parcel.items.map((part) => partText(part, order.items)).join(', '), 400)} can then be fulfilled
        again. The customer is not notified.
      </p>
    ),
    submit: 'Cancel fulfilment',
    keep: [here, 'Keep the fulfilment'] as const,
  };
}

/** Returns the action that sets a fulfilment's status. */
export const setStatus =
  (status: 'delivered' | 'cancelled') =>
  async (request: PageRequest): Promise<Outcome> => {
    const path = `${orderPath(request)}/fulfilments/${encodeURIComponent(request.param('fulfilment'))}`;
    const changed = await request.api({ method: 'PATCH', path, body: { status } });
    return changed.ok ? { to: `${root}/${request.param('id')}`, note: 'saved' } : changed;
  };

const at = (path: string) => ({ path: `/developer/orders/:id${path}`, audience: 'developer' }) as const;

/** The pages that cancel an order or a fulfilment, after a question. */
export const cancelPages: readonly Page[] = [
  ...confirmPages({ ...at('/cancel'), form: CancelForm }, cancelling, cancel),
  ...confirmPages(at('/fulfilments/:fulfilment/cancel'), cancellingParcel, setStatus('cancelled')),
];
