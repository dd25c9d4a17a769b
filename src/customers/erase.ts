import { sql } from 'drizzle-orm';
import { forgetBuyers } from '../checkout/index.ts';
import { eventsOfPerson, redactEvents } from '../events/index.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { batch, type Database, database, type Statement } from '../kernel/data/database.ts';
import type { Call } from '../kernel/http/context.ts';
import { forgetAnswersTo } from '../kernel/http/idempotency.ts';
import { forgetCustomer, ordersOf, redactOrderEvents } from '../orders/index.ts';
import { redactDeliveries } from '../webhooks/index.ts';
import { loadMe } from './account.ts';
import { eraseCustomer } from './account-statements.ts';
import { cartsOf, forgetCarts, forgetInCarts } from './customer-cart.ts';
import { forgetGuard } from './login/login-client.ts';
import type { CustomerRow } from './tables.ts';

/**
 * Erases the session's customer everywhere. The account is erased last, so that after a failure the session is
 * still valid for a retry. Fails with `unavailable` when not everything could be erased in this call.
 */
export async function eraseMe(call: Call): Promise<Result<undefined>> {
  const me = await loadMe(call);
  if (!me.ok) return me;
  const db = database(call.env);
  const { tenantId, id, email } = me.value;
  if (!(await forgetInCarts(call.env, db, me.value))) return fail('unavailable');
  const events = await eventsOfPerson({ db, tenantId }, resourcesOf(me.value));
  await batch(db, redactOutbox(db, me.value));
  await redactDeliveries(call, events);
  await eraseCustomer(db, me.value, [
    // Repeated for events raised since; must run before the orders lose their customer id.
    ...redactOutbox(db, me.value),
    ...forgetBuyers(
      { db, tenantId },
      {
        customerId: id,
        carts: cartsOf(db, me.value),
        orders: ordersOf(tenantId, id),
      },
    ),
    forgetCarts(db, me.value),
    forgetCustomer({ db, tenantId }, id),
    forgetAnswersTo(db, tenantId, id),
  ]);
  await forgetGuard(call, email);
  return ok(undefined);
}

/** Returns a subquery for the event resources of the person: the account and its orders. */
const resourcesOf = ({ tenantId, id }: CustomerRow) =>
  sql`SELECT ${`customer:${id}`} UNION ALL SELECT 'order:' || id FROM (${ordersOf(tenantId, id)})`;

/** Returns the statements that redact the person in the outbox's events. */
const redactOutbox = (db: Database, { tenantId, id }: CustomerRow): Statement[] => [
  redactOrderEvents({ db, tenantId }, id),
  redactEvents(
    { db, tenantId },
    sql`SELECT ${`customer:${id}`}`,
    sql`json_set(data, '$.name', NULL, '$.old_email', NULL, '$.new_email', NULL)`,
  ),
];
