import { type SQL, sql } from 'drizzle-orm';
import { forgetPerson } from '../../cart/index.ts';
import { forgetBuyers } from '../../checkout/index.ts';
import { type EventsOfPerson, eventsOfPerson, noEventsAfter, resourcesWith } from '../../events/index.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { batch, guardedBatch } from '../../kernel/data/database.ts';
import { forgetAnswersTo } from '../../kernel/data/idempotency-keys.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { forgetOrderBuyers, guestOrder, isErased, orderById, redactOrderEvents } from '../../orders/index.ts';
import { redactDeliveries } from '../../webhooks/index.ts';
import { MAX_ATTEMPTS, redactCartEvents } from '../erase.ts';

/** A guest's order, and the cart that was ordered. */
interface GuestPurchase {
  readonly orderId: string;
  readonly cartId: string;
}

const OF_CUSTOMER = fail('conflict', {
  message: 'The order belongs to a customer: erase the customer.',
});

/**
 * Erases the buyer of a guest's order: from the order, its events and their deliveries, its checkout and its cart, unless
 * the cart is a customer's by now. Fails with `order_not_found`, with `conflict` for a customer's order, and with
 * `unavailable` when not everything could be erased in this call. Idempotent.
 */
export async function eraseGuest(ctx: TenantContext, orderId: string): Promise<Result<undefined>> {
  const found = await orderById(ctx, orderId);
  if (!found.ok) return found;
  const { customerId, cartId } = found.value.row;
  // An earlier version placed orders of customers who were erased meanwhile; the erasure of an account finds these no more.
  if (customerId !== null && !(await isErased(ctx, customerId))) return OF_CUSTOMER;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // A cart that is gone has nothing to erase.
    await forgetPerson(ctx, cartId, null);
    const events = await redactPurchase(ctx, { orderId, cartId });
    if (await eraseOrder(ctx, { orderId, cartId }, events)) return ok(undefined);
  }
  return fail('unavailable');
}

/** The report of the cart as abandoned, unless it names a customer. */
const cartResource = (ctx: TenantDatabase, cartId: string): SQL =>
  resourcesWith(ctx, sql`SELECT ${`cart:${cartId}`}`, sql`data ->> 'customer_id' IS NULL`);

const resourcesOf = (ctx: TenantDatabase, { orderId, cartId }: GuestPurchase): SQL =>
  sql`SELECT ${`order:${orderId}`} UNION ALL ${cartResource(ctx, cartId)}`;

/** Redacts the buyer in the outbox's events and in their stored deliveries; returns those events. */
async function redactPurchase(ctx: TenantContext, purchase: GuestPurchase): Promise<EventsOfPerson> {
  const events = await eventsOfPerson(ctx, resourcesOf(ctx, purchase));
  await batch(ctx.db, [
    redactOrderEvents(ctx, guestOrder(ctx.tenantId, purchase.orderId)),
    redactCartEvents(ctx, cartResource(ctx, purchase.cartId)),
  ]);
  await redactDeliveries(ctx, events.ids);
  return events;
}

/** Erases the buyer from the order and its checkout; returns false if other events have appeared. */
function eraseOrder(ctx: TenantDatabase, purchase: GuestPurchase, events: EventsOfPerson): Promise<boolean> {
  const orders = guestOrder(ctx.tenantId, purchase.orderId);
  const carts = sql`SELECT ${purchase.cartId}`;
  return guardedBatch(ctx.db, [
    noEventsAfter(ctx, resourcesOf(ctx, purchase), events),
    ...forgetBuyers(ctx, { customerId: null, carts, orders }),
    ...forgetOrderBuyers(ctx, orders),
    forgetAnswersTo(ctx, { orderId: purchase.orderId }),
  ]);
}
