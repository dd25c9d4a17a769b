import { and, eq, type SQL, sql } from 'drizzle-orm';
import { forgetBuyers } from '../checkout/index.ts';
import {
  type EventsOfPerson,
  eventsOfPerson,
  noEventsAfter,
  redactEvents,
  resourcesWith,
} from '../events/index.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import {
  assertInBatch,
  batch,
  guardedBatch,
  jsonList,
  rows,
  type Statement,
} from '../kernel/data/database.ts';
import { forgetAnswersTo } from '../kernel/data/idempotency-keys.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { Call } from '../kernel/http/context.ts';
import { forgetOrderBuyers, ordersOf, redactOrderEvents, withoutCustomData } from '../orders/index.ts';
import { redactDeliveries } from '../webhooks/index.ts';
import { loadMe } from './account.ts';
import { cartsOf, noCartsBut } from './carts/cart-records.ts';
import { finishInCarts, forgetInCarts } from './carts/forget-carts.ts';
import { forgetGuard } from './login/login-client.ts';
import { byId, customerById } from './store.ts';
import { type CustomerRow, customers } from './tables.ts';
import { eraseCustomer } from './write-account.ts';

/** Erases the session's customer everywhere, see {@link eraseEverywhere}. */
export async function eraseMe(call: Call): Promise<Result<undefined>> {
  const me = await loadMe(call);
  return me.ok ? eraseEverywhere(call, me.value.id) : me;
}

/** Erases the customer with this id everywhere. Fails with `customer_not_found`, also once they are erased. */
export async function eraseById(ctx: TenantContext, id: number): Promise<Result<undefined>> {
  const customer = await customerById(ctx, id);
  return customer ? eraseEverywhere(ctx, id) : fail('customer_not_found');
}

/** How often an erasure begins again because of what was written about the person meanwhile. */
export const MAX_ATTEMPTS = 5;

/** So many orders are erased at once: a batch holds up the shard, and D1 ends it after 30 seconds. */
const ORDERS_PER_BATCH = 250;
/** The most of these batches in an attempt: all together are below D1's thousand queries of a request. */
const MAX_BATCHES = 12;

/**
 * Erases a customer everywhere. The account is erased last, so that after a failure the session is still valid
 * for a retry; if an event was raised, a cart assigned or the e-mail changed since those were erased, they are erased
 * again first. What a concurrent login left meanwhile is erased after the account, by the cron if this call is
 * interrupted. Fails with `unavailable` when not everything could be erased in this call; a retry goes on from there.
 */
async function eraseEverywhere(ctx: TenantContext, id: number): Promise<Result<undefined>> {
  const redacted = new Set<string>();
  // Events of carts are found by the records that forgetInCarts() may delete in part.
  await redactEverywhere(ctx, id, redacted);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const carts = await forgetInCarts(ctx, id);
    if (!carts) return fail('unavailable');
    const events = await redactEverywhere(ctx, id, redacted);
    const customer = await customerById(ctx, id);
    // A concurrent call has erased them.
    if (!customer) return ok(undefined);
    // Before the account too: nobody knows the e-mail any more if the call is interrupted after that.
    await forgetGuard(ctx, customer.email);
    if (!(await eraseMostOrders(ctx, id, events))) continue;
    if (await eraseAccount(ctx, customer, { events, carts })) {
      await Promise.allSettled([finishInCarts(ctx, id), forgetGuard(ctx, customer.email)]);
      return ok(undefined);
    }
  }
  return fail('unavailable');
}

/**
 * Erases the buyer of the customer's orders, so many at a time, until few are left for the account's own batch: the newest,
 * of which something may be under way. Returns false if other events have appeared, or there are more orders than an
 * attempt erases.
 */
async function eraseMostOrders(ctx: TenantDatabase, id: number, events: EventsOfPerson): Promise<boolean> {
  const all = ordersOf(ctx.tenantId, id);
  for (let n = 0; n < MAX_BATCHES; n++) {
    const found = await rows<{ id: string }>(
      ctx.db,
      sql`${all} ORDER BY created_at LIMIT ${2 * ORDERS_PER_BATCH}`,
    );
    if (found.length <= ORDERS_PER_BATCH) return true;
    const oldest = found.slice(0, -ORDERS_PER_BATCH).map((order) => order.id);
    const orders = sql`${all} AND id IN (${jsonList(oldest)})`;
    const erased = await guardedBatch(ctx.db, [
      noEventsAfter(ctx, sql`SELECT 'order:' || id FROM (${orders})`, events),
      ...forgetBuyers(ctx, { customerId: id, orders }),
      ...forgetOrderBuyers(ctx, orders),
    ]);
    if (!erased) return false;
  }
  return false;
}

/** What is erased already: events that name the customer, and their carts. */
interface ErasedBefore {
  readonly events: EventsOfPerson;
  readonly carts: readonly string[];
}

/**
 * Erases the account and the person's data in the database; returns false if other events or carts have appeared, or
 * the e-mail has changed. The records of the carts stay for {@link finishInCarts}.
 */
const eraseAccount = (
  ctx: TenantContext,
  { id, email }: CustomerRow,
  { events, carts }: ErasedBefore,
): Promise<boolean> =>
  eraseCustomer(ctx, id, {
    guards: [
      noEventsAfter(ctx, resourcesOf(ctx, id), events),
      noCartsBut(ctx, id, carts),
      hasEmail(ctx, id, email),
    ],
    statements: [
      // Before the orders lose their customer id.
      ...forgetBuyers(ctx, { customerId: id, carts: cartsOf(ctx, id), orders: ordersOf(ctx.tenantId, id) }),
      ...forgetOrderBuyers(ctx, ordersOf(ctx.tenantId, id)),
      forgetAnswersTo(ctx, { customerId: id }),
    ],
  });

/** Returns the guard that rolls a batch back if an account has another e-mail, or none any more. */
const hasEmail = ({ db, tenantId }: TenantDatabase, id: number, email: string): Statement =>
  assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM ${customers} WHERE ${and(byId(tenantId, id), eq(customers.email, email))})`,
  );

/**
 * Redacts the person in the outbox's events, and in the stored deliveries of those that are not `redacted` yet; returns
 * all of these events.
 */
async function redactEverywhere(
  ctx: TenantContext,
  id: number,
  redacted: Set<string>,
): Promise<EventsOfPerson> {
  const events = await eventsOfPerson(ctx, resourcesOf(ctx, id));
  await batch(ctx.db, redactOutbox(ctx, id));
  await redactDeliveries(
    ctx,
    events.ids.filter((eventId) => !redacted.has(eventId)),
  );
  for (const eventId of events.ids) redacted.add(eventId);
  return events;
}

/** Returns a subquery for the event resources of the person: the account, its orders and its carts. */
export const resourcesOf = (ctx: TenantDatabase, id: number): SQL => sql`SELECT ${`customer:${id}`}
  UNION ALL SELECT 'order:' || id FROM (${ordersOf(ctx.tenantId, id)})
  UNION ALL ${cartResources(ctx, id)}`;

/** The recorded carts with an event, unless it names another customer: a record may outlive a bind that was refused. */
const cartResources = (ctx: TenantDatabase, id: number): SQL =>
  resourcesWith(
    ctx,
    sql`SELECT 'cart:' || cart_id FROM (${cartsOf(ctx, id)})`,
    sql`coalesce(data ->> 'customer_id', ${id}) = ${id}`,
  );

/** Returns the statements that redact the person in the outbox's events. */
const redactOutbox = (ctx: TenantDatabase, id: number): Statement[] => [
  redactOrderEvents(ctx, ordersOf(ctx.tenantId, id)),
  redactEvents(
    ctx,
    sql`SELECT ${`customer:${id}`}`,
    sql`json_replace(data, '$.name', NULL, '$.email', NULL, '$.phone', NULL, '$.old_email', NULL, '$.new_email', NULL)`,
  ),
  redactCartEvents(ctx, cartResources(ctx, id)),
];

/** Returns the statement that redacts the person in the outbox's events of carts (a query of their resources). */
export const redactCartEvents = (ctx: TenantDatabase, carts: SQL): Statement =>
  redactEvents(
    ctx,
    carts,
    sql`json_replace(data, '$.cart_token', NULL, '$.email', NULL, '$.metadata', json('{}'),
      '$.items', ${withoutCustomData(sql`data -> '$.items'`)})`,
  );
