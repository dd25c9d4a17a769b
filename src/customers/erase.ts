import { type SQL, sql } from 'drizzle-orm';
import { forgetBuyers } from '../checkout/index.ts';
import { eventsOfPerson, redactEvents } from '../events/index.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { batch, type Statement } from '../kernel/data/database.ts';
import { forgetAnswersTo } from '../kernel/data/idempotency-keys.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { Call } from '../kernel/http/context.ts';
import { forgetCustomer, ordersOf, redactOrderEvents } from '../orders/index.ts';
import { redactDeliveries } from '../webhooks/index.ts';
import { loadMe } from './account.ts';
import { eraseCustomer } from './account-statements.ts';
import { cartsOf, forgetCarts, forgetInCarts } from './customer-cart.ts';
import { forgetGuard } from './login/login-client.ts';

/**
 * Erases the session's customer everywhere. The account is erased last, so that after a failure the session is
 * still valid for a retry. Fails with `unavailable` when not everything could be erased in this call.
 */
export async function eraseMe(call: Call): Promise<Result<undefined>> {
  const me = await loadMe(call);
  if (!me.ok) return me;
  const { tenantId } = call;
  const { id, email } = me.value;
  // Events of carts are found by the records that forgetInCarts() may delete in part; others are raised until then.
  await redactEverywhere(call, id);
  if (!(await forgetInCarts(call, id))) return fail('unavailable');
  await redactEverywhere(call, id);
  await eraseCustomer(call, id, [
    // Repeated for events raised since; must run before the orders lose their customer id.
    ...redactOutbox(call, id),
    ...forgetBuyers(call, { customerId: id, carts: cartsOf(call, id), orders: ordersOf(tenantId, id) }),
    forgetCarts(call, id),
    ...forgetCustomer(call, id),
    forgetAnswersTo(call, id),
  ]);
  await forgetGuard(call, email);
  return ok(undefined);
}

/** Redacts the person in the outbox's events and in their stored deliveries. */
async function redactEverywhere(call: Call, id: number): Promise<void> {
  const events = await eventsOfPerson(call, resourcesOf(call, id));
  await batch(call.db, redactOutbox(call, id));
  await redactDeliveries(call, events);
}

/** Returns a subquery for the event resources of the person: the account, its orders and its carts. */
const resourcesOf = (ctx: TenantDatabase, id: number): SQL => sql`SELECT ${`customer:${id}`}
  UNION ALL SELECT 'order:' || id FROM (${ordersOf(ctx.tenantId, id)})
  UNION ALL ${cartResources(ctx, id)}`;

const cartResources = (ctx: TenantDatabase, id: number): SQL =>
  sql`SELECT 'cart:' || cart_id FROM (${cartsOf(ctx, id)})`;

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
