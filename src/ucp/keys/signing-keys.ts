import { and, asc, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { DAY, HOUR, now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { assertInBatch, guardedBatch } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { PublicKey } from '../signatures/jwk.ts';
import type { SigningKey } from '../signatures/sign.ts';
import { newKey, openKey } from './key-pair.ts';
import { type KeyRow, ucpKeys } from './tables.ts';

/**
 * How long (ms) a new key is only published before it signs: longer than the profile may be cached, so that
 * every cache has it by its first signature.
 */
export const PUBLISHED_AHEAD_MS = HOUR;
/**
 * How long (ms) a key is still published after its last signature. UCP asks for seven days at least; a receiver
 * may verify an event that it has kept.
 */
export const PUBLISHED_AFTER_MS = 8 * DAY;
/** The most keys of a tenant at a time. */
export const MAX_KEYS = 5;

/** What reads and opens keys. */
type KeyContext = Pick<TenantContext, 'env' | 'db' | 'tenantId'>;

const published = (tenantId: number): SQL | undefined =>
  and(eq(ucpKeys.tenantId, tenantId), or(isNull(ucpKeys.endsAt), gt(ucpKeys.endsAt, now())));

/** Returns the tenant's published keys in the order in which they sign; none before the first use. One statement. */
export const listKeys = ({ db, tenantId }: TenantDatabase): Promise<KeyRow[]> =>
  db.select().from(ucpKeys).where(published(tenantId)).orderBy(asc(ucpKeys.signsFrom), asc(ucpKeys.kid));

/** Returns the tenant's public keys for its profile. Makes the first one if there is none. */
export const signingKeys = async (ctx: KeyContext): Promise<readonly PublicKey[]> =>
  (await keysOf(ctx)).map(({ publicKey }) => publicKey);

/** Returns the key that signs now: the newest one that caches had time to learn of. */
export async function signingKey(ctx: KeyContext): Promise<SigningKey> {
  const keys = await keysOf(ctx);
  const current = keys.findLast(({ signsFrom }) => signsFrom <= now()) ?? keys[0];
  if (!current) throw new Error('A tenant has no signing key');
  return openKey(ctx.env, current);
}

async function keysOf(ctx: KeyContext): Promise<KeyRow[]> {
  const keys = await listKeys(ctx);
  if (keys.length > 0) return keys;
  const { env, db, tenantId } = ctx;
  const first = await newKey(env, tenantId, now());
  const none = sql`NOT EXISTS (SELECT 1 FROM ucp_keys WHERE ${published(tenantId)})`;
  // A concurrent call may have made it.
  await guardedBatch(db, [assertInBatch(db, none), db.insert(ucpKeys).values(first)]);
  return listKeys(ctx);
}

/** A rotation; `after` is the `kid` of the newest key that the one who asks for it knows, if any. */
interface Rotation {
  readonly compromised: boolean;
  readonly after?: string | undefined;
}

/** Returns the condition that a rotation is still to be done: its key is the newest, or a compromised one is published. */
const isOpen = (tenantId: number, { compromised, after }: Rotation): SQL =>
  !after
    ? sql`1`
    : sql`EXISTS (SELECT 1 FROM ucp_keys WHERE ${published(tenantId)} AND kid = ${after}
        ${compromised ? sql`` : sql`AND ends_at IS NULL`})`;

/**
 * Adds a key, and ends the others without a gap: the new key is published now and signs in an hour; the others
 * sign until then and are published for eight more days. With `compromised` the others end at once, and the new
 * key signs at once. Returns null, and changes nothing, where the key `after` was rotated already. `quota_exceeded`
 * while {@link MAX_KEYS} are published.
 */
export async function rotateKey(
  { env, db, tenantId }: KeyContext,
  rotation: Rotation,
): Promise<Result<KeyRow | null>> {
  const { compromised } = rotation;
  const at = now();
  const next = await newKey(env, tenantId, compromised ? at : at + PUBLISHED_AHEAD_MS);
  const ofTenant = eq(ucpKeys.tenantId, tenantId);
  const ended = compromised
    ? db.delete(ucpKeys).where(ofTenant)
    : db
        .update(ucpKeys)
        .set({ endsAt: next.signsFrom + PUBLISHED_AFTER_MS })
        .where(and(ofTenant, isNull(ucpKeys.endsAt)));
  const fits = sql`(SELECT count(*) FROM ucp_keys WHERE ${published(tenantId)}) < ${MAX_KEYS}`;
  const open = isOpen(tenantId, rotation);
  const guards = [assertInBatch(db, open), ...(compromised ? [] : [assertInBatch(db, fits)])];
  if (await guardedBatch(db, [...guards, ended, db.insert(ucpKeys).values(next)])) return ok(next);
  const [stillOpen] = await db.select({ kid: ucpKeys.kid }).from(ucpKeys).where(and(ofTenant, open)).limit(1);
  if (!stillOpen) return ok(null);
  return fail('quota_exceeded', {
    message: `At most ${MAX_KEYS} signing keys are published at a time; each ends about eight days after its rotation.`,
    details: { quota: 'signing_keys', limit: MAX_KEYS },
  });
}

/** Sweep of the keys that are no longer published. */
export const forgetKeys = deletes(ucpKeys, () => sql`ends_at <= ${now()}`);
