import { sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { newCause, type Reservation, setReservationStatus } from '../../inventory/index.ts';
import { type Actor, SYSTEM } from '../../kernel/core/actor.ts';
import { now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { id } from '../../kernel/crypto/crypto.ts';
import { run, type Statement, violation } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Metadata } from '../../kernel/values/metadata.ts';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import type { PromotionShare } from '../../pricing/index.ts';
import { promotionSpent, redeemPromotions, shopperKeys } from '../../promotions/index.ts';
import { advanceClock, clockTick } from '../../tenants/index.ts';
import { notErased } from '../forget.ts';
import { termStatement } from '../listing/order-terms.ts';
import { orderInEvent } from '../present.ts';
import { linesOf, orderRow, type StoredOrder, withStoredTime } from '../store.ts';
import {
  type OrderAgent,
  type OrderLineRow,
  type OrderRow,
  orders,
  type PaymentRow,
  payments,
} from '../tables.ts';
import { timelineStatements } from '../timeline/store.ts';
import { hasPaidOrder } from './first-order.ts';

/** The number of a tenant's first order. */
const FIRST_ORDER_NUMBER = 1001;

/** An order to place. Its id is chosen earlier, so that a retry can't place a second order. */
export interface Placement {
  readonly orderId: string;
  readonly provider: string;
  readonly test: boolean;
  readonly origin: string;
  /** The reservation of the cart's version; the order takes it over. */
  readonly reservation: Reservation;
  readonly currency: string;
  /** Amounts in minor units. */
  readonly lines: readonly Omit<OrderLineRow, 'tenantId' | 'orderId' | 'fulfilled'>[];
  readonly totals: Pick<
    OrderRow,
    'subtotal' | 'discount' | 'shipping' | 'tax' | 'shippingTaxRate' | 'grandTotal' | 'taxIncluded'
  >;
  /** The promotions that applied; the order redeems each. */
  readonly promotions: readonly PromotionShare[];
  /** Null: nothing is shipped. */
  readonly shippingMethod: OrderRow['shippingMethod'];
  readonly customer: Pick<OrderRow, 'customerId' | 'name' | 'email' | 'phone'>;
  readonly shippingAddress: PostalAddress | null;
  /** Null: the shipping address. */
  readonly billingAddress: PostalAddress | null;
  /** The shopper's message to the shop. */
  readonly note: string | null;
  readonly metadata: Metadata;
  readonly agent: OrderAgent | null;
  /** When an unpaid order expires (ms). */
  readonly expiresAt: number;
  /** Whether to create an open payment. A tenant's own checkout reports its payments instead. */
  readonly opensPayment: boolean;
  /** The caller's statements. They run first, so that a failing guard of theirs takes precedence. */
  readonly statements: readonly Statement[];
}

/**
 * Places an order in one batch: number, order, lines, open payment, redemptions, the reservation and
 * `order.created`. Fails with `insufficient_stock`, `slot_unavailable` or `coupon_not_applicable` when a
 * CHECK rejects it. Fails with `conflict` when the input is stale: the order exists, the reservation ended, the
 * customer was erased, or a caller's guard failed. The caller must re-read.
 */
export async function placeOrder(ctx: TenantContext, placement: Placement): Promise<Result<StoredOrder>> {
  const { env, db, tenantId } = ctx;
  const { orderId, promotions, reservation, customer } = placement;
  const cause = newCause(ctx, 'checkout');
  const row = rowOf(ctx, placement);
  const lines = placement.lines.map((line) => ({ ...line, tenantId, orderId, fulfilled: 0 }));
  const redemption = {
    promotionIds: promotions.map((one) => one.id),
    orderId,
    shoppers: shopperKeys(env, tenantId, customer),
    hasPaid: hasPaidOrder(tenantId, customer),
  };
  try {
    const { read } = await commit(ctx, {
      batches: [cause.batch],
      statements: [
        ...placement.statements,
        ...notErased(ctx, customer.customerId),
        ...orderStatements(ctx, row, lines),
        termStatement(ctx, row, lines),
        ...timelineStatements(ctx, orderId, { type: 'placed', by: buyerOf(ctx, row) }),
        ...(placement.opensPayment ? [db.insert(payments).values(openPayment(row))] : []),
        ...redeemPromotions(ctx, redemption),
        ...setReservationStatus(ctx, cause, { reservation, to: 'ordered', orderId }),
      ],
      mayAdvance: promotions.some(({ code }) => code === null),
      events: [orderCreated(env, row, lines)],
      reads: { order: orderRow(ctx, orderId), lines: linesOf(ctx, orderId) },
    });
    const [placed] = read.order;
    if (!placed) throw new Error('The batch did not return the placed order');
    return ok({ row: placed, lines: read.lines, fulfilments: [], refunds: [] });
  } catch (error) {
    return refusal(error);
  }
}

/** Returns who places an order: a shopper by their account, if they have one. */
const buyerOf = ({ actor = SYSTEM }: TenantContext, { customerId }: OrderRow): Actor =>
  actor.kind === 'shopper' && customerId !== null ? { ...actor, id: String(customerId) } : actor;

/** Maps a rejected batch to an error code; rethrows other errors. */
function refusal(error: unknown): Result<never> {
  const violated = violation(error);
  if (promotionSpent(error)) {
    return fail('coupon_not_applicable', { message: 'The coupon has been used up.' });
  }
  if (violated?.name === 'stock_never_oversold') return fail('insufficient_stock');
  if (violated?.name === 'slot_never_overbooked') return fail('slot_unavailable');
  if (violated) return fail('conflict');
  throw error;
}

/** The columns that have the same value in every new order. The batch assigns the number. */
const NEW_ORDER = {
  number: 0,
  status: 'pending',
  paymentStatus: 'unpaid',
  fulfilmentStatus: 'unfulfilled',
  archivedAt: null,
  paidAt: null,
  cancelledAt: null,
  cancelReason: null,
  dispute: null,
  cartNotice: 'pending',
  revision: 1,
  claimedUntil: null,
} as const satisfies Partial<OrderRow>;

function rowOf({ tenantId }: TenantDatabase, placement: Placement): OrderRow {
  const { orderId, reservation, promotions, totals, customer } = placement;
  const coupon = promotions.find(({ code }) => code !== null);
  const at = now();
  return {
    ...NEW_ORDER,
    id: orderId,
    tenantId,
    test: placement.test,
    provider: placement.provider,
    origin: placement.origin,
    cartId: reservation.cartId,
    cartVersion: reservation.cartVersion,
    reservationId: reservation.id,
    currency: placement.currency,
    ...totals,
    couponId: coupon?.id ?? null,
    couponCode: coupon?.code ?? null,
    promotions: [...promotions],
    shippingMethod: placement.shippingMethod,
    customerId: customer.customerId,
    name: customer.name,
    email: customer.email?.toLowerCase() ?? null,
    phone: customer.phone,
    shippingAddress: placement.shippingAddress,
    billingAddress: placement.billingAddress,
    note: placement.note,
    tags: [],
    metadata: placement.metadata,
    agent: placement.agent,
    expiresAt: placement.expiresAt,
    createdAt: at,
    updatedAt: at,
  };
}

const nextNumber = (tenantId: number) => sql`(SELECT last FROM order_counters WHERE tenant_id = ${tenantId})`;

function orderStatements(ctx: TenantDatabase, row: OrderRow, lines: readonly OrderLineRow[]): Statement[] {
  const { db, tenantId } = ctx;
  return [
    advanceClock(ctx, 1),
    run(
      db,
      sql`INSERT INTO order_counters (tenant_id, last) VALUES (${row.tenantId}, ${FIRST_ORDER_NUMBER})
        ON CONFLICT DO UPDATE SET last = last + 1`,
    ),
    db.insert(orders).values({ ...row, number: nextNumber(tenantId), updatedAt: clockTick(tenantId, 1, 0) }),
    run(
      db,
      sql`INSERT INTO order_lines (tenant_id, order_id, id, product_id, variant_id, sku, name, slug, type, image,
          options, quantity, ships, unit_price, subtotal, discount, tax, tax_rate, links, selected, stock, discounts)
        SELECT ${row.tenantId}, ${row.id}, value ->> 'id', value ->> 'productId', value ->> 'variantId',
          value ->> 'sku', value ->> 'name', value ->> 'slug', value ->> 'type', value ->> 'image',
          value -> 'options', value ->> 'quantity', value ->> 'ships',
          value ->> 'unitPrice', value ->> 'subtotal', value ->> 'discount', value ->> 'tax', value ->> 'taxRate',
          value -> 'links', value -> 'selected', value -> 'stock', value -> 'discounts'
        FROM json_each(${JSON.stringify(lines)})`,
    ),
  ];
}

const openPayment = (row: OrderRow): PaymentRow => ({
  id: id('pay'),
  tenantId: row.tenantId,
  orderId: row.id,
  provider: row.provider,
  reference: null,
  charge: null,
  state: 'open',
  amount: row.grandTotal,
  currency: row.currency,
  createdAt: row.createdAt,
  updatedAt: row.createdAt,
});

/** The `order.created` event, with the number and the time that the batch assigns. */
const orderCreated = (env: Env, row: OrderRow, lines: readonly OrderLineRow[]) => ({
  type: 'order.created' as const,
  resource: `order:${row.id}`,
  data: withStoredTime(
    row,
    sql`json_set(${JSON.stringify(orderInEvent(env, { row, lines, fulfilments: [], refunds: [] }))}, '$.number', ${nextNumber(row.tenantId)})`,
  ),
});
