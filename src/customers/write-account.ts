import { and, eq, type SQL, sql } from 'drizzle-orm';
import { commit, type Write } from '../events/index.ts';
import { iso, now } from '../kernel/core/clock.ts';
import { keysOf } from '../kernel/core/records.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import {
  assertInBatch,
  guardedBatch,
  guardFailed,
  type Statement,
  violation,
} from '../kernel/data/database.ts';
import { nextId } from '../kernel/data/ids.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import { advanceClock, clockTick } from '../tenants/index.ts';
import { forgetAddresses } from './addresses/store.ts';
import { forgetTerms, insertTerms } from './records/terms.ts';
import type { CustomerCreated, CustomerEmailChanged } from './schemas.ts';
import { voidResets } from './sessions/resets.ts';
import { endSessions, insertSession } from './sessions/store.ts';
import { byEmail, byId } from './store.ts';
import { type CustomerRow, customers } from './tables.ts';

/** The initial columns of an account; `password` is a hash. */
export type NewCustomer = Pick<CustomerRow, 'email' | 'name' | 'phone' | 'password'>;
type Changes = { readonly [Field in keyof NewCustomer]?: NewCustomer[Field] | undefined } & {
  /** The column's new value. */
  readonly metadata?: SQL;
};

/** A new account and its first session; `statements` run in the same batch. */
interface Registration {
  readonly fields: NewCustomer;
  readonly sessionHash: string;
  readonly statements: readonly Statement[];
}

/** Creates an account with its first session, and raises an event. Fails with `email_taken`. */
export async function createCustomer(
  ctx: TenantContext,
  { fields, sessionHash, statements }: Registration,
): Promise<Result<CustomerRow>> {
  const { tenantId, db } = ctx;
  const at = now();
  const account = byEmail(tenantId, fields.email);
  return commitAccount(ctx, account, {
    statements: [
      ...statements,
      advanceClock(ctx, 1),
      db.insert(customers).values({
        id: nextId('customer'),
        ...fields,
        tenantId,
        createdAt: at,
        updatedAt: clockTick(tenantId, 1, 0),
      }),
      insertTerms(ctx, account, fields),
      insertSession(ctx, account, sessionHash),
    ],
    events: [created(account, fields, at)],
  });
}

/** The event `customer.created`. The batch reads the new account's id. */
function created(account: ReturnType<typeof byId>, { name, email, phone }: NewCustomer, at: number) {
  const data: CustomerCreated = { id: 0, name, email, phone, created_at: iso(at) };
  const id = sql`(SELECT ${customers.id} FROM ${customers} WHERE ${account})`;
  return {
    type: 'customer.created' as const,
    resource: sql`'customer:' || ${id}`,
    data: sql`json_set(${JSON.stringify(data)}, '$.id', ${id})`,
  };
}

/** A change of an account, made in the session with this hash; null: by the tenant. */
interface AccountChange {
  readonly changes: Changes;
  readonly session: string | null;
  /** A condition that the account must meet when it is changed. */
  readonly condition?: SQL | undefined;
}

/**
 * Changes an account; writes nothing if it has the fields already. Fails with `conflict` if its e-mail changed since it
 * was read (with a new e-mail, also its name), or if it doesn't meet the condition; in a session also if its password
 * changed, which may have ended the session. A new password or e-mail ends all sessions except `session` and voids
 * password resets. A new e-mail raises an event.
 */
export async function changeCustomer(
  ctx: TenantContext,
  before: CustomerRow,
  { changes, session, condition }: AccountChange,
): Promise<Result<CustomerRow>> {
  if (keysOf(changes).every((key) => changes[key] === undefined || changes[key] === before[key]))
    return ok(before);
  const { db, tenantId } = ctx;
  const { id } = before;
  const account = byId(tenantId, id);
  const { name = before.name, email = before.email, password } = changes;
  const emailChanges = email !== before.email;
  // Also to the name that was read: another request may have written a new one since.
  const renames = emailChanges || changes.name !== undefined;
  const unchanged = and(
    account,
    session === null ? undefined : eq(customers.password, before.password),
    // The terms of a new name contain the e-mail.
    session === null && !renames ? undefined : eq(customers.email, before.email),
    condition,
    // The terms and the event of a new e-mail contain the name.
    emailChanges ? eq(customers.name, before.name) : undefined,
  );
  const endsSessions = emailChanges || password !== undefined;
  return commitAccount(ctx, account, {
    guards: [assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${customers} WHERE ${unchanged})`)],
    statements: [
      advanceClock(ctx, 1),
      db
        .update(customers)
        .set({ ...changes, updatedAt: clockTick(tenantId, 1, 0) })
        .where(account),
      ...(renames ? [forgetTerms(ctx, id), insertTerms(ctx, account, { name, email })] : []),
      ...(endsSessions ? [endSessions(ctx, id, session ?? ''), voidResets(ctx, id)] : []),
    ],
    events: emailChanges ? [emailChanged(before, { name, email })] : [],
  }).catch((error) => {
    if (guardFailed(error)) return fail('conflict');
    throw error;
  });
}

/** The event `customer.email_changed`, with which tenants notify the old address. */
function emailChanged(before: CustomerRow, after: Pick<CustomerRow, 'name' | 'email'>) {
  const data: CustomerEmailChanged = {
    customer_id: before.id,
    name: after.name,
    old_email: before.email,
    new_email: after.email,
  };
  return { type: 'customer.email_changed' as const, resource: `customer:${before.id}`, data: { ...data } };
}

/** What an erasure does beside the account: its guards, and the statements for other modules' tables. */
interface ErasedElsewhere {
  readonly guards: readonly Statement[];
  readonly statements: readonly Statement[];
}

/**
 * Erases the personal data of an account. The empty row stays, so that its id is not reused. Returns false, without a
 * change, if a guard fails. Idempotent.
 */
export async function eraseCustomer(
  ctx: TenantDatabase,
  id: number,
  { guards, statements }: ErasedElsewhere,
): Promise<boolean> {
  const { db, tenantId } = ctx;
  const at = now();
  const empty = { email: '', name: '', phone: null, password: '', cartId: null, metadata: {} };
  return guardedBatch(db, [
    ...guards,
    db
      .update(customers)
      .set({ ...empty, updatedAt: at, erasedAt: at })
      .where(byId(tenantId, id)),
    endSessions(ctx, id),
    voidResets(ctx, id),
    forgetAddresses(ctx, id),
    forgetTerms(ctx, id),
    ...statements,
  ]);
}

/** Commits a write and returns the account that `which` selects after it. Fails with `email_taken`. */
async function commitAccount(
  ctx: TenantContext,
  which: ReturnType<typeof byId>,
  write: Pick<Write, 'guards' | 'statements' | 'events'>,
): Promise<Result<CustomerRow>> {
  try {
    const account = ctx.db.select().from(customers).where(which);
    const { read } = await commit(ctx, { ...write, reads: { account } });
    const [row] = read.account;
    if (!row) throw new Error('The customer was not found after the write');
    return ok(row);
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('email_taken');
    throw error;
  }
}
