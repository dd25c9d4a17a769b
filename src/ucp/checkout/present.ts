import type { AgentCart, FoundAgentCart } from '../../cart/index.ts';
import { orderPageUrl } from '../../checkout/index.ts';
import {
  EXTERNAL,
  orderById,
  promotionsOfOrder,
  type StoredOrder,
  sharesOfLine,
} from '../../orders/index.ts';
import { holderOf, ucpCheckoutId } from '../cart/names.ts';
import { readNotes } from '../cart/notes.ts';
import { discountsOf, lineTotals, presentBasket, totalsOf } from '../cart/present.ts';
import type { UcpContext } from '../context.ts';
import { orderItemOf, orderLineId } from '../orders/order-line.ts';
import type { Message } from '../protocol/messages.ts';
import { orderFulfillment, presentFulfillment } from './fulfillment.ts';
import { blockingMessages, PAYMENT_REQUIRED } from './requirements.ts';
import type { Checkout, CheckoutStatus } from './schemas.ts';

/** Returns whether a checkout can no longer change. */
export const isFinal = ({ status }: Pick<Checkout, 'status'>): boolean =>
  status === 'completed' || status === 'canceled';

/**
 * Returns the checkout of a cart; with its order, once there is one, which costs one database round trip. `refusal` says
 * why the order was refused for what the cart doesn't show.
 */
export async function presentCheckout(
  ctx: UcpContext,
  found: FoundAgentCart,
  refusal: Message[] = [],
): Promise<Checkout> {
  const { cart, cartId } = found;
  const { order, agent, keyVersion } = cart;
  const id = ucpCheckoutId(holderOf(ctx), { cartId, keyVersion, checkout: agent.checkouts });
  const placed = order ? await orderById(ctx, order.id) : null;
  // One that was cancelled before it was paid leaves the checkout open.
  const isCurrent = placed?.ok && (order?.state === 'paid' || placed.value.row.status !== 'cancelled');
  const stored = isCurrent ? placed.value : null;
  const messages = agent.cancelled ? [] : [...refusal, ...messagesOf(ctx, cart, stored)];
  const status = agent.cancelled ? 'canceled' : statusOf(stored, messages);
  const { continue_url, ...basket } = presentBasket(ctx, found, { id, messages });
  const { consent } = readNotes(agent.notes);
  const fulfillment = fulfillmentOf(ctx, cart, stored);
  return {
    ...basket,
    ...(stored && orderParts(ctx, stored, cart)),
    status,
    ...(consent && { buyer: { ...basket.buyer, consent } }),
    ...(fulfillment && { fulfillment }),
    ...(!isFinal({ status }) && { continue_url }),
    ...(stored && isCompleted(stored) && { order: confirmationOf(ctx, stored) }),
  };
}

/** Returns whether a checkout's order completed it: it was paid, even if it was cancelled after that. */
const isCompleted = ({ row }: StoredOrder): boolean => row.status !== 'pending';

/** Returns the fulfillment, if that was negotiated and anything ships. */
function fulfillmentOf(ctx: UcpContext, cart: AgentCart, stored: StoredOrder | null) {
  if (!ctx.negotiated.has('dev.ucp.shopping.fulfillment')) return undefined;
  return stored ? orderFulfillment(stored, cart) : presentFulfillment(cart);
}

const messagesOf = (ctx: UcpContext, cart: AgentCart, stored: StoredOrder | null): Message[] =>
  stored ? orderMessages(stored) : openMessages(ctx, cart);

/** Returns what keeps an open checkout from completing: all that is missing, and at last the payment. */
function openMessages(ctx: UcpContext, cart: AgentCart): Message[] {
  const messages = blockingMessages(ctx, cart);
  const isBlocked = messages.some(({ type }) => type === 'error');
  return isBlocked || isFree(ctx, cart) ? messages : [...messages, PAYMENT_REQUIRED];
}

/** Returns whether the order can be placed without the buyer's payment. */
const isFree = ({ tenant }: UcpContext, { totals }: AgentCart): boolean =>
  totals.grandTotal === 0 && !tenant.settings.checkout.external_url;

/** Returns what a pending order waits for. One of which nothing has to be paid waits only for another attempt. */
const orderMessages = (order: StoredOrder): Message[] =>
  isCompleted(order) || (order.row.grandTotal === 0 && order.row.provider !== EXTERNAL)
    ? []
    : [
        {
          ...PAYMENT_REQUIRED,
          content: 'The order waits for the payment of the buyer on the page of continue_url.',
        },
      ];

function statusOf(order: StoredOrder | null, messages: readonly Message[]): CheckoutStatus {
  if (order && isCompleted(order)) return 'completed';
  const errors = messages.flatMap((message) => (message.type === 'error' ? message.severity : []));
  if (errors.includes('recoverable')) return 'incomplete';
  return errors.length > 0 ? 'requires_escalation' : 'ready_for_complete';
}

/** Returns the parts of a checkout that its order decides: the buyer may have changed delivery and tax on the page. */
function orderParts(ctx: UcpContext, { row, lines }: StoredOrder, { agent, ...cart }: AgentCart) {
  const promotions = promotionsOfOrder(row);
  // A stored reply of an earlier version has no waivedBy.
  const isWaived = row.shipping === 0 && promotions.some(({ id }) => id === (cart.waivedBy ?? id));
  const waived = isWaived ? cart.shippingWaived : 0;
  const shares = lines.map((line) => ({ discounts: sharesOfLine(row, line) }));
  return {
    line_items: lines.map((line, n) => ({
      id: orderLineId(line),
      item: orderItemOf(line),
      quantity: line.quantity,
      totals: lineTotals(line.subtotal, shares[n]?.discounts ?? []),
    })),
    totals: totalsOf(
      row,
      lines.some(({ ships }) => ships),
      waived,
    ),
    ...(ctx.negotiated.has('dev.ucp.shopping.discount') && {
      discounts: discountsOf(agent.codes, {
        promotions,
        lines: shares,
        waived,
        waivedBy: cart.waivedBy,
      }),
    }),
  };
}

const confirmationOf = ({ env }: UcpContext, { row }: StoredOrder): Checkout['order'] => ({
  id: row.id,
  label: `#${row.number}`,
  permalink_url: orderPageUrl(env, row),
});
