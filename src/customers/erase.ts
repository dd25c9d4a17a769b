import { sql } from 'drizzle-orm';
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
  const { db, tenantId } = call;
  const { id, email } = me.value;
  if (!(await forgetInCarts(call, id))) return fail('unavailable');
  const events = await eventsOfPerson(call, resourcesOf(tenantId, id));
  await batch(db, redactOutbox(call, id));
  await redactDeliveries(call, events);
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

/** Returns a subquery for the event resources of the person: the account and its orders. */
const resourcesOf = (tenantId: number, id: number) =>
  sql`SELECT ${`customer:${id}`} UNION ALL SELECT 'order:' || id FROM (${ordersOf(tenantId, id)})`;

/** Returns the statements that redact the person in the outbox's events. */
const redactOutbox = (ctx: TenantDatabase, id: number): Statement[] => [
  redactOrderEvents(ctx, id),
  redactEvents(
    ctx,
    sql`SELECT ${`customer:${id}`}`,
    sql`json_set(data, '$.name', NULL, '$.old_email', NULL, '$.new_email', NULL)`,
  ),
];
