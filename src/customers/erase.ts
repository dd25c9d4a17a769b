import { type SQL, sql } from 'drizzle-orm';
import { forgetBuyers } from '../checkout/index.ts';
import { eventsOfPerson, redactEvents, resourcesWith } from '../events/index.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { batch, type Statement } from '../kernel/data/database.ts';
import { forgetAnswersTo } from '../kernel/data/idempotency-keys.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { Call } from '../kernel/http/context.ts';
import { forgetCustomer, ordersOf, redactOrderEvents } from '../orders/index.ts';
import { redactDeliveries } from '../webhooks/index.ts';
import { loadMe } from './account.ts';
import { eraseCustomer } from './account-statements.ts';
import { cartsOf, forgetCarts, forgetInCarts } from './customer-cart.ts';
import { forgetGuard } from './login/login-client.ts';
import { customerById } from './store.ts';
import type { CustomerRow } from './tables.ts';

/** Erases the session's customer everywhere, see {@link eraseEverywhere}. */
export async function eraseMe(call: Call): Promise<Result<undefined>> {
  const me = await loadMe(call);
  return me.ok ? eraseEverywhere(call, me.value) : me;
}

/** Erases the customer with this id everywhere. Fails with `customer_not_found`, also once they are erased. */
export async function eraseById(ctx: TenantContext, id: number): Promise<Result<undefined>> {
  const customer = await customerById(ctx, id);
  return customer ? eraseEverywhere(ctx, customer) : fail('customer_not_found');
}

/**
 * Erases a customer everywhere. The account is erased last, so that after a failure the session is still valid
 * for a retry. Fails with `unavailable` when not everything could be erased in this call.
 */
async function eraseEverywhere(ctx: TenantContext, { id, email }: CustomerRow): Promise<Result<undefined>> {
  const { tenantId } = ctx;
  // Events of carts are found by the records that forgetInCarts() may delete in part; others are raised until then.
  await redactEverywhere(ctx, id);
  if (!(await forgetInCarts(ctx, id))) return fail('unavailable');
  await redactEverywhere(ctx, id);
  await eraseCustomer(ctx, id, [
    // Repeated for events raised since; must run before the orders lose their customer id.
    ...redactOutbox(ctx, id),
    ...forgetBuyers(ctx, { customerId: id, carts: cartsOf(ctx, id), orders: ordersOf(tenantId, id) }),
    forgetCarts(ctx, id),
    ...forgetCustomer(ctx, id),
    forgetAnswersTo(ctx, id),
  ]);
  await forgetGuard(ctx, email);
  return ok(undefined);
}

/** Redacts the person in the outbox's events and in their stored deliveries. */
async function redactEverywhere(ctx: TenantContext, id: number): Promise<void> {
  const events = await eventsOfPerson(ctx, resourcesOf(ctx, id));
  await batch(ctx.db, redactOutbox(ctx, id));
  await redactDeliveries(ctx, events);
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
  redactOrderEvents(ctx, id),
  redactEvents(
    ctx,
    sql`SELECT ${`customer:${id}`}`,
    sql`json_replace(data, '$.name', NULL, '$.email', NULL, '$.phone', NULL, '$.old_email', NULL, '$.new_email', NULL)`,
  ),
  redactEvents(
    ctx,
    cartResources(ctx, id),
    sql`json_replace(data, '$.cart_token', NULL, '$.email', NULL, '$.metadata', json('{}'))`,
  ),
];
