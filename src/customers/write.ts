import { and, eq, sql } from 'drizzle-orm';
import { now } from '../kernel/clock.ts';
import { batch, type Database, guardBroke, must, type Statement, violation } from '../kernel/database.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { voidResets } from './resets.ts';
import { endSessions, insertSession } from './sessions.ts';
import { byEmail, byId } from './store.ts';
import { type CustomerRow, customers } from './tables.ts';

/** What a new account starts with; `password` is a hash. */
export type NewCustomer = Pick<CustomerRow, 'email' | 'name' | 'phone' | 'password'>;

/** Makes an account with its first session; `noted` are further statements of the same batch. */
export async function createCustomer(
  db: Database,
  tenantId: number,
  input: NewCustomer,
  sessionHash: string,
  noted: readonly Statement[],
): Promise<Result<CustomerRow>> {
  const at = now();
  const mine = byEmail(tenantId, input.email);
  return write(db, mine, [
    ...noted,
    db.insert(customers).values({ ...input, tenantId, createdAt: at, updatedAt: at }),
    insertSession(db, mine, sessionHash),
  ]);
}

/**
 * Changes an account that still has the password and e-mail it was read with, else `conflict`. A new password
 * ends all sessions but `session`; it, and a new e-mail, void password resets.
 */
export async function changeCustomer(
  db: Database,
  before: CustomerRow,
  changes: { [Field in keyof NewCustomer]?: NewCustomer[Field] | undefined },
  session: string,
): Promise<Result<CustomerRow>> {
  const { tenantId, id } = before;
  const mine = byId(tenantId, id);
  const asRead = and(mine, eq(customers.password, before.password), eq(customers.email, before.email));
  const secret = changes.password !== undefined;
  const written = write(db, mine, [
    must(db, sql`EXISTS (SELECT 1 FROM ${customers} WHERE ${asRead})`),
    db
      .update(customers)
      .set({ ...changes, updatedAt: now() })
      .where(mine),
    ...(secret ? [endSessions(db, tenantId, id, session)] : []),
    ...(secret || changes.email !== undefined ? [voidResets(db, tenantId, id)] : []),
  ]);
  return written.catch((error) => {
    if (guardBroke(error)) return fail('conflict');
    throw error;
  });
}

/**
 * Erases the person: the row stays, empty, so that its id is never another's. `elsewhere` are the statements
 * that take the person out of what other rooms keep. Doing it again changes nothing.
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

/** Runs the batch of a write; answers the account as it is then. */
async function write(
  db: Database,
  mine: ReturnType<typeof byId>,
  statements: readonly Statement[],
): Promise<Result<CustomerRow>> {
  try {
    const results = await batch(db, [...statements, db.select().from(customers).where(mine)]);
    // The select at the end of the batch.
    const [row] = results.at(-1) as CustomerRow[];
    if (!row) throw new Error('A customer vanished while it was written');
    return ok(row);
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('email_taken');
    throw error;
  }
}
