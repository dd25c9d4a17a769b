import { iso, isoOrNull } from '../kernel/core/clock.ts';
import { toNumber } from '../kernel/values/money.ts';
import {
  type LineShare,
  type PromotionShare,
  percentOf,
  presentLineShares,
  presentPromotions,
  presentTotals,
  taxLines,
} from '../pricing/index.ts';
import { downloadToken } from './downloads.ts';
import { presentFulfilment } from './fulfilments/present.ts';
import { presentDispute, presentRefunds } from './refunds/present.ts';
import { surplusDue } from './refunds/refundable.ts';
import { counts, unitsNamed } from './refunds/store.ts';
import type { CustomerOrder, Order } from './schemas.ts';
import type { StoredOrder } from './store.ts';
import type { OrderLineRow, OrderRow } from './tables.ts';

/** Returns the promotions of an order; of one from before they were stored, its coupon. */
export function promotionsOfOrder({ promotions, ...row }: OrderRow): readonly PromotionShare[] {
  const { couponId: id, couponCode: code, discount: amount } = row;
  return promotions ?? (id === null ? [] : [{ id, name: code ?? '', code, amount }]);
}

/** Returns what each promotion of its order deducts from a line. */
export function sharesOfLine({ couponId }: OrderRow, line: OrderLineRow): readonly LineShare[] {
  if (line.discounts) return line.discounts;
  return couponId === null || line.discount === 0 ? [] : [{ promotionId: couponId, amount: line.discount }];
}

/** Returns an order as servers see it; a paid order includes download links. */
export function presentOrder(env: object, order: StoredOrder): Order {
  const { row, lines, fulfilments } = order;
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    payment_status: row.paymentStatus,
    fulfilment_status: row.fulfilmentStatus,
    test: row.test,
    items: lines.map((line) => presentItem(env, order, line)),
    totals: presentTotals(row, row.currency),
    tax_lines: taxLines(row, lines),
    shipping_tax_rate_percent: percentOrNull(row.shippingTaxRate),
    currency: row.currency,
    coupon: row.couponCode,
    applied_promotions: presentPromotions(promotionsOfOrder(row), row.currency),
    shipping_method: row.shippingMethod,
    customer: { id: row.customerId, name: row.name, email: row.email, phone: row.phone },
    addresses: { shipping: row.shippingAddress },
    billing_address: row.billingAddress,
    note: row.note,
    fulfilments: fulfilments.map(presentFulfilment),
    tags: row.tags,
    archived_at: isoOrNull(row.archivedAt),
    metadata: row.metadata,
    refunds: presentRefunds(order),
    refund_due: toNumber(surplusDue(order.refunds), row.currency),
    dispute: presentDispute(row),
    agent: row.agent && { profile: row.agent.profile },
    cancel_reason: row.status === 'cancelled' ? row.cancelReason : null,
    paid_at: isoOrNull(row.paidAt),
    cancelled_at: isoOrNull(cancelledAt(row)),
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}

/** Returns when an order was cancelled (ms), in rows of earlier versions its last change; null of another one. */
export const cancelledAt = ({ status, cancelledAt, updatedAt }: OrderRow): number | null =>
  status === 'cancelled' ? (cancelledAt ?? updatedAt) : null;

/** The most bytes of an order in an event: an event is a row, of which D1 takes 2 MB. */
const MAX_EVENT_BYTES = 1_900_000;

/** The parcels and refunds that an event has of an order that is too large with all of them: the latest. */
const LATEST_IN_EVENT = 10;

const fitsEvent = (order: Order): boolean => Buffer.byteLength(JSON.stringify(order)) <= MAX_EVENT_BYTES;

/**
 * Returns an order as its events show it: one that is too large is without its download links, and if that is not
 * enough with its latest fulfilments and refunds only.
 */
export function orderInEvent(env: object, stored: StoredOrder): Order {
  const order = presentOrder(env, stored);
  if (fitsEvent(order)) return order;
  const short = { ...order, items: order.items.map(({ downloads: _, ...item }) => item) };
  if (fitsEvent(short)) return short;
  const { fulfilments, refunds } = short;
  return {
    ...short,
    fulfilments: fulfilments.slice(-LATEST_IN_EVENT),
    refunds: refunds.slice(-LATEST_IN_EVENT),
  };
}

/** Returns an order as its customer sees it: without what the shop writes for itself. */
export const customerOrder = ({
  metadata: _,
  tags: __,
  archived_at: ___,
  ...order
}: Order): CustomerOrder => ({
  ...order,
  refunds: order.refunds.map(({ reason: _, failure_reason: __, ...refund }) => refund),
});

const percentOrNull = (rate: number | null): number | null => (rate === null ? null : percentOf(rate));

/** Returns a line of an order; a paid one includes its download links. */
function presentItem(env: object, order: StoredOrder, line: OrderLineRow): Order['items'][number] {
  const { row } = order;
  const money = (minor: number) => toNumber(minor, row.currency);
  return {
    id: line.id,
    product_id: line.productId,
    variant_id: line.variantId,
    sku: line.sku,
    name: line.name,
    slug: line.slug,
    image: line.image,
    type: line.type,
    options: line.options,
    selected: [...line.selected],
    quantity: line.quantity,
    ships: line.ships,
    fulfilled_quantity: line.fulfilled,
    unit_price: money(line.unitPrice),
    total: money(line.subtotal),
    discount: money(line.discount),
    tax: money(line.tax),
    tax_rate_percent: percentOrNull(line.taxRate),
    discounts: presentLineShares(sharesOfLine(row, line), row.currency),
    ...(line.links.length > 0 && isDownloadable(order, line) && { downloads: downloads(env, row, line) }),
  };
}

/** Returns whether a line's files can be downloaded: its order is paid, and neither it nor the line refunded as a whole. */
const isDownloadable = ({ row, refunds }: StoredOrder, { id, quantity }: OrderLineRow): boolean =>
  row.status === 'paid' &&
  row.paymentStatus !== 'refunded' &&
  unitsNamed(refunds.filter(counts), id) < quantity;

const downloads = (env: object, order: OrderRow, line: OrderLineRow) =>
  line.links.map(({ id, title }) => {
    const token = downloadToken(env, {
      tenantId: order.tenantId,
      orderId: order.id,
      lineId: line.id,
      linkId: id,
    });
    return { id, title, url: `${order.origin}/downloads/${token}` };
  });
