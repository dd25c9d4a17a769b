import { and, eq, sql } from 'drizzle-orm';
import { batchEventIds, outboxRow, relayLater } from '../events/index.ts';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { id as newId } from '../kernel/crypto/crypto.ts';
import {
  assertInBatch,
  batch,
  type Database,
  database,
  guardFailed,
  type Statement,
  violation,
} from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { advanceClock, clockTick } from '../tenants/index.ts';
import { voidResets } from './resets.ts';
import type { CustomerEmailChanged } from './schemas.ts';
import { endSessions, insertSession } from './sessions.ts';
import { byEmail, byId } from './store.ts';
import { type CustomerRow, customers } from './tables.ts';

/** The initial columns of an account; `password` is a hash. */
export type NewCustomer = Pick<CustomerRow, 'email' | 'name' | 'phone' | 'password'>;
type Changes = { readonly [Field in keyof NewCustomer]?: NewCustomer[Field] | undefined };

/** Creates an account with its first session. `extra` statements run in the same batch. Fails with `email_taken`. */
export async function createCustomer(
  db: Database,
  tenantId: number,
  input: NewCustomer,
  sessionHash: string,
  extra: readonly Statement[],
): Promise<Result<CustomerRow>> {
  const at = now();
  const mine = byEmail(tenantId, input.email);
  return write(db, mine, [
    ...extra,
    db.insert(customers).values({ ...input, tenantId, createdAt: at, updatedAt: at }),
    insertSession(db, mine, sessionHash),
  ]);
}

/**
 * Changes an account, or fails with `conflict` if its password or e-mail changed since it was read. A new password
 * or e-mail ends all sessions except `session` and voids password resets. A new e-mail raises an event.
 */
export async function changeCustomer(
  { env, ctx }: Runtime,
  before: CustomerRow,
  changes: Changes,
  session: string,
): Promise<Result<CustomerRow>> {
  const db = database(env);
  const { tenantId, id } = before;
  const batchId = newId('bat');
  const mine = byId(tenantId, id);
  const unchanged = and(mine, eq(customers.password, before.password), eq(customers.email, before.email));
  const { name = before.name, email = before.email, password } = changes;
  const emailChanges = email !== before.email;
  const written = write(db, mine, [
    assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${customers} WHERE ${unchanged})`),
    db
      .update(customers)
      .set({ ...changes, updatedAt: now() })
      .where(mine),
    ...(emailChanges || password !== undefined
      ? [endSessions(db, tenantId, id, session), voidResets(db, tenantId, id)]
      : []),
    ...(emailChanges ? emailChanged(db, batchId, before, { name, email }) : []),
  ]);
  const changed = await written.catch((error) => {
    if (guardFailed(error)) return fail('conflict');
    throw error;
  });
  if (changed.ok && emailChanges) {
    relayLater(env, ctx, tenantId, await batchEventIds(db, tenantId, batchId));
  }
  return changed;
}

/** Returns the statements that raise `customer.email_changed`, with which tenants notify the old address. */
function emailChanged(
  db: Database,
  batchId: string,
  before: CustomerRow,
  after: Pick<CustomerRow, 'name' | 'email'>,
): Statement[] {
  const data: CustomerEmailChanged = {
    customer_id: before.id,
    name: after.name,
    old_email: before.email,
    new_email: after.email,
  };
  return [
    advanceClock(db, before.tenantId, 1, false),
    outboxRow(db, before.tenantId, batchId, {
      type: 'customer.email_changed',
      resource: `customer:${before.id}`,
      sequence: clockTick(before.tenantId, 1, 0),
      data,
    }),
  ];
}

/**
 * Erases the personal data of an account. The empty row stays, so that its id is not reused. `elsewhere` are the
 * statements that erase the person from other modules' tables. Idempotent.
 */
export async function eraseCustomer(
  db: Database,
  { tenantId, id }: CustomerRow,
  elsewhere: readonly Statement[],
): Promise<void> {
  const at = now();
  await batch(db, [
    db
      .update(customers)
      .set({ email: '', name: '', phone: null, password: '', cartId: null, updatedAt: at, erasedAt: at })
      .where(byId(tenantId, id)),
    endSessions(db, tenantId, id),
    voidResets(db, tenantId, id),
    ...elsewhere,
  ]);
}

/** Runs the batch of a write and returns the account after it. Fails with `email_taken`. */
async function write(
  db: Database,
  mine: ReturnType<typeof byId>,
  statements: readonly Statement[],
): Promise<Result<CustomerRow>> {
  try {
    const results = await batch(db, [...statements, db.select().from(customers).where(mine)]);
    // The last statement of the batch is the select.
    const [row] = results.at(-1) as CustomerRow[];
    if (!row) throw new Error('The customer was not found after the write');
    return ok(row);
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('email_taken');
    throw error;
  }
}
