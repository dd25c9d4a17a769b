import { and, asc, eq, sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { type Failed, fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { id as newId } from '../../kernel/crypto/crypto.ts';
import { assertInBatch, guardFailed, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { byId, customerById, markChanged } from '../store.ts';
import { customers } from '../tables.ts';
import { type AddressCreate, type AddressPatch, MAX_ADDRESSES } from './schemas.ts';
import { type AddressRow, customerAddresses } from './tables.ts';

/** The addresses of one customer: the context of their changes. */
export interface AddressBook extends TenantContext {
  readonly customerId: number;
}

/** Returns the addresses of a customer. */
export const bookOf = ({ env, ctx, db, tenantId }: TenantContext, customerId: number): AddressBook => ({
  env,
  ctx,
  db,
  tenantId,
  customerId,
});

type Owner = Pick<AddressBook, 'tenantId' | 'customerId'>;

const addressesOf = ({ tenantId, customerId }: Owner) =>
  and(eq(customerAddresses.tenantId, tenantId), eq(customerAddresses.customerId, customerId));
const one = (owner: Owner, id: string) => and(addressesOf(owner), eq(customerAddresses.id, id));
const defaultOf = (owner: Owner) => and(addressesOf(owner), eq(customerAddresses.isDefault, true));

/** Returns the query for a customer's addresses, oldest first: at most {@link MAX_ADDRESSES}. */
export const listAddresses = ({ db, tenantId }: TenantDatabase, customerId: number) =>
  db
    .select()
    .from(customerAddresses)
    .where(addressesOf({ tenantId, customerId }))
    .orderBy(asc(customerAddresses.createdAt), asc(customerAddresses.id))
    .limit(MAX_ADDRESSES);

/** Returns a customer's address, or `address_not_found`. */
async function addressById(book: TenantDatabase & Owner, id: string): Promise<Result<AddressRow>> {
  const [row] = await book.db.select().from(customerAddresses).where(one(book, id));
  return row ? ok(row) : fail('address_not_found');
}

/** Returns the statement that leaves a customer without a default, for a batch that sets another one. */
const unsetDefault = (book: AddressBook): Statement =>
  book.db.update(customerAddresses).set({ isDefault: false }).where(defaultOf(book));

/**
 * Saves an address; the first one becomes the default. Fails with `quota_exceeded` beyond {@link MAX_ADDRESSES},
 * and with `invalid_customer_token` when the customer was erased meanwhile.
 */
export async function addAddress(
  book: AddressBook,
  { label, is_default = false, ...address }: AddressCreate,
  once: IdempotencyScope,
): Promise<Result<AddressRow>> {
  if (once.ref !== null) return addressById(book, once.ref);
  const { db, tenantId, customerId } = book;
  const [id, at] = [newId('adr'), now()];
  const insert = run(
    db,
    sql`INSERT INTO customer_addresses (id, tenant_id, customer_id, label, address, is_default, created_at, updated_at)
      SELECT ${id}, ${tenantId}, ${customerId}, ${label ?? null}, ${JSON.stringify(address)},
        NOT EXISTS (SELECT 1 FROM customer_addresses WHERE ${defaultOf(book)}), ${at}, ${at}`,
  );
  try {
    await commit(book, {
      guards: [
        assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${customers} WHERE ${byId(tenantId, customerId)})`),
        assertInBatch(
          db,
          sql`(SELECT count(*) FROM customer_addresses WHERE ${addressesOf(book)}) < ${MAX_ADDRESSES}`,
        ),
      ],
      statements: [
        ...once.mark(id),
        ...(is_default ? [unsetDefault(book)] : []),
        insert,
        ...markChanged(book, customerId),
      ],
    });
  } catch (error) {
    const refusal = guardFailed(error) ? await refusalOf(book) : null;
    if (refusal) return refusal;
    throw error;
  }
  return addressById(book, id);
}

/** Returns why an address could not be added, or null for another reason. */
async function refusalOf(book: AddressBook): Promise<Failed | null> {
  if (!(await customerById(book, book.customerId))) return fail('invalid_customer_token');
  const { length } = await listAddresses(book, book.customerId);
  return length >= MAX_ADDRESSES ? TOO_MANY : null;
}

const TOO_MANY = fail('quota_exceeded', {
  message: `A customer can have at most ${MAX_ADDRESSES} addresses.`,
  details: { quota: 'addresses', limit: MAX_ADDRESSES },
});

/**
 * Changes the given fields; null removes one. `is_default: true` takes the default from the other address; false
 * is a 422 for the default itself. Writes nothing if nothing changes. Fails with `address_not_found`.
 */
export async function changeAddress(
  book: AddressBook,
  id: string,
  { label, is_default, ...fields }: AddressPatch,
): Promise<Result<AddressRow>> {
  const { db } = book;
  const before = await addressById(book, id);
  if (!before.ok || isSame(before.value, { label, is_default, ...fields })) return before;
  const found = and(one(book, id), is_default === false ? eq(customerAddresses.isDefault, false) : undefined);
  const update = db
    .update(customerAddresses)
    .set({
      ...(label !== undefined && { label }),
      ...(is_default && { isDefault: true }),
      // Merges in the statement (RFC 7396), so that concurrent changes of other fields are kept.
      address: sql`json_patch(${customerAddresses.address}, ${JSON.stringify(fields)})`,
      updatedAt: now(),
    })
    .where(one(book, id));
  const row = db.select().from(customerAddresses).where(one(book, id));
  try {
    const { read } = await commit(book, {
      guards: [assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${customerAddresses} WHERE ${found})`)],
      statements: [
        ...(is_default ? [unsetDefault(book)] : []),
        update,
        ...markChanged(book, book.customerId),
      ],
      reads: { row },
    });
    const [changed] = read.row;
    return changed ? ok(changed) : fail('address_not_found');
  } catch (error) {
    if (!guardFailed(error)) throw error;
    const present = await addressById(book, id);
    return present.ok ? KEEP_A_DEFAULT : present;
  }
}

/** Returns whether an address has these fields already. */
function isSame({ label, isDefault, address }: AddressRow, patch: AddressPatch): boolean {
  const stored: Readonly<Record<string, unknown>> = { ...address, label, is_default: isDefault };
  return Object.entries(patch).every(
    ([field, value]) => value === undefined || value === (stored[field] ?? null),
  );
}

const KEEP_A_DEFAULT = invalid(
  'is_default',
  'must not be false for the default; set another address instead',
);

/** Deletes an address; the newest other one becomes the default. Fails with `address_not_found`. */
export async function deleteAddress(book: AddressBook, id: string): Promise<Result<undefined>> {
  const { db } = book;
  const inBook = addressesOf(book);
  const successor = run(
    db,
    sql`UPDATE customer_addresses SET is_default = 1
      WHERE id = (SELECT id FROM customer_addresses WHERE ${inBook} ORDER BY created_at DESC, id DESC LIMIT 1)
        AND NOT EXISTS (SELECT 1 FROM customer_addresses WHERE ${defaultOf(book)})`,
  );
  try {
    await commit(book, {
      guards: [assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${customerAddresses} WHERE ${one(book, id)})`)],
      statements: [
        db.delete(customerAddresses).where(one(book, id)),
        successor,
        ...markChanged(book, book.customerId),
      ],
    });
    return ok(undefined);
  } catch (error) {
    if (guardFailed(error)) return fail('address_not_found');
    throw error;
  }
}

/** Returns the statement that deletes all addresses of a customer. */
export const forgetAddresses = ({ db, tenantId }: TenantDatabase, customerId: number): Statement =>
  db.delete(customerAddresses).where(addressesOf({ tenantId, customerId }));
