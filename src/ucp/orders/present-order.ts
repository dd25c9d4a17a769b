import { orderPageUrl } from '../../checkout/index.ts';
import { iso } from '../../kernel/core/clock.ts';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import {
  cancelledAt,
  endOf,
  leftToShip,
  type OrderLineRow,
  type OrderRow,
  type RefundRow,
  refundsOfOrder,
  type StoredOrder,
  sharesOfLine,
} from '../../orders/index.ts';
import { ucpCheckoutId } from '../cart/names.ts';
import { lineTotals, totalsOf } from '../cart/present.ts';
import type { Address } from '../cart/schemas.ts';
import { orderItemOf, orderLineId } from './order-line.ts';
import type { Adjustment, Expectation, FulfillmentEvent, Order, OrderLineItem } from './schemas.ts';

/** The secrets that an order's names are made with. */
interface OrderNaming {
  readonly env: object;
}

/** Returns an order as its agent sees it, as of now; null if no agent made it. */
export function presentOrder({ env }: OrderNaming, order: StoredOrder): Order | null {
  const { row, lines } = order;
  if (!row.agent) return null;
  const { profile, ...name } = row.agent;
  const ids = new Map(lines.map((line) => [line.id, orderLineId(line)]));
  const items = lines.map((line) => lineItemOf(order, line));
  return {
    id: row.id,
    label: `#${row.number}`,
    checkout_id: ucpCheckoutId({ env, tenantId: row.tenantId, profile }, { ...name, cartId: row.cartId }),
    permalink_url: orderPageUrl(env, row),
    line_items: items,
    fulfillment: { expectations: expectationsOf(order, items), events: eventsOf(order, ids) },
    adjustments: adjustmentsOf(order, ids),
    currency: row.currency,
    totals: totalsOf(
      row,
      lines.some(({ ships }) => ships),
    ),
  };
}

function lineItemOf({ row, refunds }: StoredOrder, line: OrderLineRow): OrderLineItem {
  const quantity = quantityOf(row, refunds, line);
  return {
    id: orderLineId(line),
    item: orderItemOf(line),
    quantity,
    totals: lineTotals(line.subtotal, sharesOfLine(row, line)),
    status: statusOf(quantity),
  };
}

/**
 * Returns how much of a line is still to come and has come. Units that were paid back before they were shipped don't
 * come any more, nor any once all of the money is paid back; those that were shipped before stay fulfilled. What isn't
 * shipped is fulfilled once it is paid.
 */
function quantityOf(
  { status, paymentStatus }: OrderRow,
  refunds: readonly RefundRow[],
  line: OrderLineRow,
): OrderLineItem['quantity'] {
  const { id, quantity, ships, fulfilled } = line;
  if (ships) {
    const isOver = status === 'cancelled' || paymentStatus === 'refunded';
    const toCome = isOver ? 0 : leftToShip(line, refunds);
    return { original: quantity, total: fulfilled + toCome, fulfilled };
  }
  const refunded = refunds
    .filter((refund) => refund.status !== 'failed')
    .flatMap(({ items }) => items)
    .reduce((sum, item) => sum + (item.lineId === id ? item.quantity : 0), 0);
  const left = status === 'cancelled' ? 0 : Math.max(0, quantity - refunded);
  return { original: quantity, total: left, fulfilled: status === 'paid' ? left : 0 };
}

function statusOf({ total, fulfilled }: OrderLineItem['quantity']): OrderLineItem['status'] {
  if (total === 0) return 'removed';
  if (fulfilled === total) return 'fulfilled';
  return fulfilled > 0 ? 'partial' : 'processing';
}

/** Returns what the buyer can expect: the goods at their address, and what is not shipped at once. */
function expectationsOf({ row, lines }: StoredOrder, items: readonly OrderLineItem[]): Expectation[] {
  const quantities = (ships: boolean) =>
    items.flatMap(({ id, quantity }, n) =>
      lines[n]?.ships === ships && quantity.total > 0 ? [{ id, quantity: quantity.total }] : [],
    );
  const expectations: Expectation[] = [
    {
      id: 'shipping',
      method_type: 'shipping',
      line_items: quantities(true),
      destination: addressOf(row.shippingAddress),
      ...(row.shippingMethod && { description: row.shippingMethod.name }),
    },
    {
      id: 'digital',
      method_type: 'digital',
      line_items: quantities(false),
      destination: addressOf(null),
      fulfillable_on: 'now',
    },
  ];
  return expectations.filter(({ line_items }) => line_items.length > 0);
}

/** Returns an address as the protocol has it; an empty one for null. */
export const addressOf = (address: PostalAddress | null): Address =>
  address
    ? {
        first_name: address.first_name,
        last_name: address.last_name,
        street_address: address.line1,
        extended_address: address.line2,
        address_locality: address.city,
        address_region: address.region,
        address_country: address.country,
        postal_code: address.postal_code,
        phone_number: address.phone,
      }
    : {};

/** Returns what happened to the parcels, oldest first: each was shipped, and then delivered or cancelled. */
function eventsOf({ fulfilments }: StoredOrder, ids: ReadonlyMap<number, string>): FulfillmentEvent[] {
  const events = fulfilments.flatMap((parcel) => {
    const { id, state, items, tracking, createdAt } = parcel;
    const { number, url, carrier } = tracking ?? { number: null, url: null, carrier: null };
    const shared = {
      line_items: affected(items, ids),
      ...(number !== null && { tracking_number: number }),
      ...(url !== null && { tracking_url: url }),
      ...(carrier !== null && { carrier }),
    };
    const shipped = { id, occurred_at: iso(createdAt), type: 'shipped' as const, ...shared };
    const endedAt = endOf(parcel);
    if (endedAt === null) return [shipped];
    const type = state === 'delivered' ? ('delivered' as const) : ('canceled' as const);
    return [shipped, { id: `${id}_${type}`, occurred_at: iso(endedAt), type, ...shared }];
  });
  return events.sort((a, b) => a.occurred_at.localeCompare(b.occurred_at));
}

interface Affected {
  readonly lineId: number;
  readonly quantity: number;
}

const affected = (items: readonly Affected[], ids: ReadonlyMap<number, string>, sign = 1) =>
  items.flatMap(({ lineId, quantity }) => {
    const id = ids.get(lineId);
    return id === undefined || quantity === 0 ? [] : [{ id, quantity: sign * quantity }];
  });

const REFUND_STATUSES = { pending: 'pending', succeeded: 'completed', failed: 'failed' } as const;

/** Returns what was paid back, and the end of an order that was cancelled before it was paid; oldest first. */
function adjustmentsOf({ row, refunds }: StoredOrder, ids: ReadonlyMap<number, string>): Adjustment[] {
  const repaid = refundsOfOrder(refunds).map(
    ({ id, source, status, amount, items, createdAt }): Adjustment => {
      const lines = affected(items, ids, -1);
      return {
        id,
        type: source === 'dispute' || source === 'cancellation' ? source : 'refund',
        occurred_at: iso(createdAt),
        status: REFUND_STATUSES[status],
        ...(lines.length > 0 && { line_items: lines }),
        totals: [{ type: 'total', amount: -amount }],
      };
    },
  );
  const at = cancelledAt(row);
  if (at === null || repaid.length > 0) return repaid;
  return [{ id: `${row.id}_canceled`, type: 'cancellation', occurred_at: iso(at), status: 'completed' }];
}
