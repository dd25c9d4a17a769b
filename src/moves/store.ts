import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { MINUTE, now } from '../kernel/core/clock.ts';
import {
  assertInBatch,
  batch,
  type Database,
  guardedBatch,
  rows,
  type Statement,
} from '../kernel/data/database.ts';
import { placements, shards } from '../kernel/shards/tables.ts';
import { isOver } from './progress.ts';
import type { StepEnd } from './step-context.ts';
import { type MoveRow, tenantMoves } from './tables.ts';

/** How long (ms) a step has its move for itself; then it counts as crashed. */
const CLAIM_DURATION_MS = MINUTE / 2;

/** Returns the move with this id, or null. */
export async function findMove(db: Database, id: string): Promise<MoveRow | null> {
  const [row] = await db.select().from(tenantMoves).where(eq(tenantMoves.id, id));
  return row ?? null;
}

/** The most moves of one page: a tenant has few. */
const MAX_LISTED = 50;

/** Returns the newest moves of a tenant, newest first. */
export const movesOf = (db: Database, tenantId: number): Promise<MoveRow[]> =>
  db
    .select()
    .from(tenantMoves)
    .where(eq(tenantMoves.tenantId, tenantId))
    .orderBy(desc(tenantMoves.createdAt))
    .limit(MAX_LISTED);

/** The most moves that one run of the chore looks at: those under way, and old copies of a day. */
const MAX_UNFINISHED = 100;

/** Returns the moves that have not ended, oldest first. */
export const unfinishedMoves = (db: Database): Promise<Pick<MoveRow, 'id' | 'tenantId'>[]> =>
  db
    .select({ id: tenantMoves.id, tenantId: tenantMoves.tenantId })
    .from(tenantMoves)
    .where(isNull(tenantMoves.endedAt))
    .orderBy(tenantMoves.createdAt)
    .limit(MAX_UNFINISHED);

/**
 * Claims a move for one step, unless another step has it. The step's epoch is above that of every step of the tenant's
 * moves.
 */
export async function claimMove(db: Database, id: string): Promise<MoveRow | null> {
  const at = now();
  const [row] = await db
    .update(tenantMoves)
    .set({
      claimedUntil: at + CLAIM_DURATION_MS,
      epoch: sql`(SELECT max(m.epoch) + 1 FROM tenant_moves m WHERE m.tenant_id = tenant_moves.tenant_id)`,
    })
    .where(and(eq(tenantMoves.id, id), isNull(tenantMoves.endedAt), sql`claimed_until <= ${at}`))
    .returning();
  return row ?? null;
}

/**
 * Saves the result of a step and releases the move. A step that began before the move was cancelled, or that a later
 * one has overtaken, changes no state.
 */
export async function saveStep(db: Database, move: MoveRow, { state, progress }: StepEnd): Promise<void> {
  const claimed = and(eq(tenantMoves.id, move.id), eq(tenantMoves.epoch, move.epoch));
  // The key of the last row may be a word of a customer's name.
  const ended = isOver(state) && { progress: { ...progress, after: [] }, endedAt: now() };
  await batch(db, [
    db
      .update(tenantMoves)
      .set({ state, progress, ...ended })
      .where(
        and(
          claimed,
          inArray(tenantMoves.state, [move.state, state]),
          ...(state === 'cancelling' ? [notSwitched] : []),
        ),
      ),
    forbidSwitch(db, move),
    db.update(tenantMoves).set({ claimedUntil: 0 }).where(claimed),
  ]);
}

/** The row of a move whose writes this step may hold. */
const holding = (move: MoveRow) =>
  and(eq(tenantMoves.id, move.id), eq(tenantMoves.epoch, move.epoch), eq(tenantMoves.state, 'holding'));

/** The placement of a tenant that is still on the source. */
const atSource = ({ tenantId, source }: MoveRow) =>
  and(eq(placements.tenantId, tenantId), eq(placements.shard, sql`${source}`));

/**
 * Allows every caller whose write the source refuses to complete the switch, from the seal of this step on: see
 * `followSwitch`. Throws if the move was cancelled or switched meanwhile.
 */
export const allowSwitch = (db: Database, move: MoveRow): Promise<unknown> =>
  batch(db, [
    assertInBatch(
      db,
      sql`EXISTS (SELECT 1 FROM ${tenantMoves}, ${placements} WHERE ${holding(move)} AND ${atSource(move)})`,
    ),
    db
      .update(placements)
      .set({ next: sql`${move.target}`, nextEpoch: move.epoch })
      .where(atSource(move)),
  ]);

/**
 * Switches a tenant whose source is sealed: from here on the directory names the target. Returns false if the move was
 * cancelled before.
 */
export const switchTenant = (db: Database, move: MoveRow): Promise<boolean> =>
  guardedBatch(db, [
    assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${tenantMoves} WHERE ${holding(move)})`),
    db
      .update(placements)
      .set({ shard: sql`${move.target}`, next: null, nextEpoch: null })
      .where(atSource(move)),
    db
      .update(tenantMoves)
      .set({ state: 'switched', switchedAt: now(), claimedUntil: 0 })
      .where(holding(move)),
  ]);

/** The condition that a move's tenant is still on the source. Completing a switch ends it as well. */
const notSwitched = sql`switched_at IS NULL AND EXISTS (
  SELECT 1 FROM ${placements} p WHERE p.tenant_id = tenant_moves.tenant_id AND p.shard = tenant_moves.source)`;

/** Returns the statement after which nobody can complete the switch of a move, if the move is cancelled. */
const forbidSwitch = (db: Database, { id, tenantId }: Pick<MoveRow, 'id' | 'tenantId'>): Statement =>
  db
    .update(placements)
    .set({ next: null, nextEpoch: null })
    .where(
      sql`${placements.tenantId} = ${tenantId}
        AND EXISTS (SELECT 1 FROM ${tenantMoves} m WHERE m.id = ${id} AND m.state = 'cancelling')`,
    );

/** Records that a move is to be cancelled, unless the tenant has been switched or the move is over. */
export const markCancelled = (db: Database, move: Pick<MoveRow, 'id' | 'tenantId'>): Promise<unknown> =>
  batch(db, [
    db
      .update(tenantMoves)
      // A step that died must not delay the one that opens the source.
      .set({ state: 'cancelling', claimedUntil: 0 })
      .where(
        and(
          eq(tenantMoves.id, move.id),
          eq(tenantMoves.tenantId, move.tenantId),
          ne(tenantMoves.state, 'cancelling'),
          isNull(tenantMoves.endedAt),
          notSwitched,
        ),
      ),
    forbidSwitch(db, move),
  ]);

/** Returns the shard where the directory has a tenant. */
export async function homeOf(db: Database, tenantId: number): Promise<string | null> {
  const [row] = await rows<{ shard: string }>(
    db,
    sql`SELECT shard FROM placements WHERE tenant_id = ${tenantId}`,
  );
  return row?.shard ?? null;
}

/** When a tenant was last switched to another shard (ms; 0 if it never was), and whether that is announced. */
interface LastSwitch {
  readonly at: number;
  readonly announced: boolean;
}

/** Returns a tenant's last switch to another shard. */
export async function lastSwitchOf(db: Database, tenantId: number): Promise<LastSwitch> {
  const [row] = await rows<{ at: number | null; open: 0 | 1 }>(
    db,
    sql`SELECT max(switched_at) AS at,
        coalesce(max(state = 'switched' AND NOT progress ->> '$.announced'), 0) AS open
      FROM tenant_moves WHERE tenant_id = ${tenantId}`,
  );
  return { at: row?.at ?? 0, announced: row?.open !== 1 };
}

/** Lets other tenants be placed on the shard that a tenant has left, if it had it for itself. */
export const shareShard = (db: Database, { tenantId, source }: MoveRow): Promise<unknown> =>
  db
    .update(shards)
    .set({ ownerId: null })
    .where(and(eq(shards.name, sql`${source}`), eq(shards.ownerId, tenantId)));

/** Ends the moves whose old copy is on the shard that the tenant moves to: the copy is deleted now. */
export const endEarlierMoves = (db: Database, { id, tenantId, target }: MoveRow): Promise<unknown> =>
  db
    .update(tenantMoves)
    .set({ state: 'ended', endedAt: now() })
    .where(
      and(
        eq(tenantMoves.tenantId, tenantId),
        eq(tenantMoves.source, target),
        ne(tenantMoves.id, id),
        isNull(tenantMoves.endedAt),
      ),
    );
