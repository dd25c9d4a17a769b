import { and, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../core/clock.ts';
import { deletes } from './chore.ts';
import { assertInBatch, type Database, jsonList, namedBatch, run, type Statement } from './database.ts';
import { idempotencyKeys } from './tables.ts';
import type { TenantDatabase } from './tenant-context.ts';

/** A run that takes longer than this (ms) counts as crashed, and a retry may take over its key. */
const LOCK_DURATION_MS = 30_000;

/** An Idempotency-Key, and who sent it. The platform API has application 0, and tenant 0 but for calls about one. */
export interface SentKey {
  readonly tenantId: number;
  readonly applicationId: number;
  readonly key: string;
}

/** The row that a run claims, where `key` is a digest, and the run's own id (`owner`). */
export interface Claim extends SentKey {
  readonly owner: string;
}

/** The row that a run claims, and its database: the one that its write goes to. */
export interface ClaimedRow {
  readonly db: Database;
  readonly claim: Claim;
}

/** A claimed key with the newest fingerprint of its body: what marks the key in another object's batch. */
export interface ClaimedKey {
  readonly claim: Claim;
  readonly fingerprint: string;
}

/** A body's fingerprints: stored under the newest master key, compared under all of them. */
export interface Fingerprints {
  readonly newest: string;
  readonly all: readonly string[];
}

/** Claims the key unless an active run holds it. Returns the row afterwards. */
export async function takeKey({ db, claim }: ClaimedRow, { newest: fingerprint, all }: Fingerprints) {
  const at = now();
  const lockedUntil = at + LOCK_DURATION_MS;
  const { owner } = claim;
  const expired = db.delete(idempotencyKeys).where(and(same(claim), lt(idempotencyKeys.createdAt, at - DAY)));
  const taken = db
    .insert(idempotencyKeys)
    .values({ ...claim, fingerprint, lockedUntil, createdAt: at })
    .onConflictDoUpdate({
      target: [idempotencyKeys.tenantId, idempotencyKeys.applicationId, idempotencyKeys.key],
      set: { owner, lockedUntil },
      setWhere: sql`${idempotencyKeys.answer} IS NULL AND ${idempotencyKeys.lockedUntil} < ${at}
          AND ${idempotencyKeys.fingerprint} IN (${jsonList(all)})`,
    });
  const found = db.select().from(idempotencyKeys).where(same(claim));
  const {
    found: [row],
  } = await namedBatch(db, { found }, [expired, taken]);
  if (!row) throw new Error('An idempotency key vanished while it was claimed');
  return row;
}

const same = (claim: SentKey) =>
  and(
    eq(idempotencyKeys.tenantId, claim.tenantId),
    eq(idempotencyKeys.applicationId, claim.applicationId),
    eq(idempotencyKeys.key, claim.key),
  );

const heldBy = (claim: Claim) => and(same(claim), eq(idempotencyKeys.owner, claim.owner));

/** Returns the statements of `IdempotencyScope.mark`. */
export function markStatements({ db, claim }: ClaimedRow, ref: string, fingerprint: string): Statement[] {
  const unmarked = and(heldBy(claim), isNull(idempotencyKeys.ref));
  return [
    assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE ${unmarked})`),
    db.update(idempotencyKeys).set({ ref, fingerprint }).where(unmarked),
  ];
}

/**
 * Returns the statement that marks a key that no run claims, if a condition of the batch's write holds: that of a page
 * which writes without the API.
 */
export const markUnclaimed = (
  db: Database,
  { tenantId, applicationId, key }: SentKey,
  holds: SQL,
): Statement =>
  run(
    db,
    sql`INSERT INTO idempotency_keys (tenant_id, application_id, key, fingerprint, owner, locked_until, ref, created_at)
      SELECT ${tenantId}, ${applicationId}, ${key}, '', '', 0, '', ${now()} WHERE ${holds} ON CONFLICT DO NOTHING`,
  );

/**
 * Releases the key. Keeps a marked row, so that a retry doesn't write twice. Returns whether the run held it.
 */
export async function releaseKey({ db, claim }: ClaimedRow): Promise<boolean> {
  const { deleted, unlocked } = await namedBatch(db, {
    deleted: db
      .delete(idempotencyKeys)
      .where(and(heldBy(claim), isNull(idempotencyKeys.ref)))
      .returning({ key: idempotencyKeys.key }),
    unlocked: db
      .update(idempotencyKeys)
      .set({ lockedUntil: 0 })
      .where(heldBy(claim))
      .returning({ key: idempotencyKeys.key }),
  });
  return deleted.length + unlocked.length > 0;
}

/** Returns whether a write was committed under a key, which is named by its digest. */
export async function isMarked(db: Database, key: SentKey): Promise<boolean> {
  const marked = and(same(key), isNotNull(idempotencyKeys.ref));
  const found = await db.select({ ref: idempotencyKeys.ref }).from(idempotencyKeys).where(marked);
  return found.length > 0;
}

/** A person whose data is kept: a customer, or the buyer of a guest's order. */
type Person = { readonly customerId: number } | { readonly orderId: string };

/** Columns of orders that name the buyer. An erasure empties them. */
const BUYER_FIELDS = ['email', 'name', 'phone'] as const;
type BuyerField = (typeof BUYER_FIELDS)[number];

/** Whose data a response contains. Of a guest's order also a field that it had, which an erasure since would have emptied. */
export type DataSubject = Person & { readonly shows?: BuyerField | undefined };

/** Returns the subject of a response about a guest's order with these data of its buyer. */
export const guestSubject = (
  orderId: string,
  buyer: { readonly [Field in BuyerField]?: string | null | undefined },
): DataSubject => ({ orderId, shows: BUYER_FIELDS.find((field) => typeof buyer[field] === 'string') });

/** Marks a response with the data of a person whose erasure wouldn't find it. It isn't kept: a retry runs again. */
export const NOT_ERASABLE = 'not_erasable';

/** A response to keep: its sealed content, whose data it has (if anybody's), and the request's fingerprint. */
interface KeptResponse {
  readonly answer: string;
  readonly subject: DataSubject | null;
  readonly fingerprint: string;
}

// The rows belong to the modules customers and orders.
function notErased({ tenantId }: Claim, subject: DataSubject): SQL | undefined {
  if ('customerId' in subject)
    return sql`EXISTS (SELECT 1 FROM customers WHERE id = ${subject.customerId} AND tenant_id = ${tenantId} AND erased_at IS NULL)`;
  // A buyer who gave none of these, or was erased before, has none afterwards either.
  return subject.shows
    ? sql`EXISTS (SELECT 1 FROM orders WHERE id = ${subject.orderId} AND tenant_id = ${tenantId}
        AND ${sql.identifier(subject.shows)} IS NOT NULL)`
    : undefined;
}

const personOf = (subject: DataSubject): Person =>
  'customerId' in subject ? { customerId: subject.customerId } : { orderId: subject.orderId };

/**
 * Stores the response of a run, or releases its key if the person was erased meanwhile. Returns whether the run held the
 * key.
 */
export async function storeResponse(row: ClaimedRow, response: KeptResponse): Promise<boolean> {
  const { db, claim } = row;
  const { subject, ...kept } = response;
  const { key } = idempotencyKeys;
  const stored = await db
    .update(idempotencyKeys)
    .set({ ...kept, ...(subject && personOf(subject)) })
    .where(and(heldBy(claim), subject ? notErased(claim, subject) : undefined))
    .returning({ key });
  return stored.length > 0 || (subject !== null && (await releaseKey(row)));
}

/** Sweep of keys older than 24 hours. */
export const forgetOldKeys = deletes(
  idempotencyKeys,
  () => sql`${idempotencyKeys.createdAt} < ${now() - DAY}`,
);

/** Returns the statement that deletes stored responses about a person. Their writes are still not repeated. */
export const forgetAnswersTo = ({ db, tenantId }: TenantDatabase, person: Person): Statement =>
  db
    .update(idempotencyKeys)
    .set({ answer: null, customerId: null, orderId: null, lockedUntil: 0 })
    .where(
      and(
        eq(idempotencyKeys.tenantId, tenantId),
        'customerId' in person
          ? eq(idempotencyKeys.customerId, person.customerId)
          : eq(idempotencyKeys.orderId, person.orderId),
      ),
    );
