import { and, eq, isNull, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { type Failed, fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import { id as newId } from '../kernel/crypto/crypto.ts';
import {
  assertInBatch,
  batch,
  database,
  directory,
  guardFailed,
  violation,
} from '../kernel/data/database.ts';
import { jurisdictionOf } from '../kernel/data/jurisdiction.ts';
import { isFullShard } from '../kernel/shards/placements.ts';
import { shardsIn } from '../tenants/index.ts';
import { isImporting } from './copy/hold-and-seal.ts';
import { NO_PROGRESS } from './progress.ts';
import { findMove, homeOf, markCancelled } from './store.ts';
import { type MoveRow, tenantMoves } from './tables.ts';

/** The most tenants of the platform that move at a time. */
const MAX_RUNNING_MOVES = 2;

/** A tenant and the shard that it is to move to. */
export interface Destination {
  readonly tenantId: number;
  readonly shard: string;
  /** Whether an undo asks for it: the shard still has the tenant's old rows, so it may be full. */
  readonly isReturn?: boolean;
}

/**
 * Starts the move of a tenant to another shard; the cron takes it further within a minute. Returns the move that is
 * under way to this shard, so that a call can be repeated. A shard that is full, or outside the tenant's jurisdiction, is
 * refused. `move_running` if the tenant moves elsewhere, its cancelled move has not ended yet, or two others move; `conflict`
 * while it is imported.
 */
export async function requestMove(env: Env, destination: Destination): Promise<Result<MoveRow>> {
  const { tenantId, shard } = destination;
  const running = await runningMove(env, tenantId);
  if (running) return underWay(running, shard);
  const source = await homeOf(directory(env), tenantId);
  if (source === null) return fail('tenant_not_found');
  const refused = await refusal(env, source, destination);
  return refused ?? insertMove(env, source, destination);
}

const IMPORTED = 'The tenant is being imported. Activate it, then move it.';

/** Returns why a tenant can't move to a shard, or null if it can. */
async function refusal(
  env: Env,
  source: string,
  { tenantId, shard, isReturn = false }: Destination,
): Promise<Failed | null> {
  const others = shardsIn(env, jurisdictionOf(tenantId)).filter((name) => name !== source);
  if (!others.some((name) => name === shard)) {
    return invalid(
      'shard',
      others.length > 0 ? `must be one of ${others.join(', ')}` : 'there is no other shard',
    );
  }
  if (!isReturn && (await isFullShard(env, shard))) return invalid('shard', 'is full; choose another one');
  const { $client: rows } = database(env, tenantId);
  return (await isImporting(rows, tenantId)) ? fail('conflict', { message: IMPORTED }) : null;
}

/** Inserts a move into the directory, unless the tenant moves already, or two others do. */
async function insertMove(
  env: Env,
  source: string,
  { tenantId, shard }: Destination,
): Promise<Result<MoveRow>> {
  const db = directory(env);
  const [id, at] = [newId('mov'), now()];
  const count = sql`(SELECT count(*) FROM ${tenantMoves} WHERE ended_at IS NULL AND switched_at IS NULL)`;
  const epoch = sql<number>`(SELECT max(coalesce(max(epoch), 0), ${at}) FROM ${tenantMoves} WHERE tenant_id = ${tenantId})`;
  try {
    await batch(db, [
      assertInBatch(db, sql`${count} < ${MAX_RUNNING_MOVES}`),
      db.insert(tenantMoves).values({
        id,
        tenantId,
        source,
        target: shard,
        state: 'preparing',
        progress: NO_PROGRESS,
        epoch,
        createdAt: at,
      }),
    ]);
  } catch (error) {
    if (!guardFailed(error) && violation(error)?.kind !== 'unique') throw error;
    // The same call at the same moment may have started it.
    const other = await runningMove(env, tenantId);
    return other ? underWay(other, shard) : fail('move_running');
  }
  return moveOf(env, { tenantId, id });
}

/** Returns the move that is under way if it leads to this shard. */
const underWay = (move: MoveRow, shard: string): Result<MoveRow> =>
  move.target === shard && move.state !== 'cancelling' ? ok(move) : fail('move_running');

/** Returns the move of a tenant that has not been switched yet, or null. */
async function runningMove(env: Env, tenantId: number): Promise<MoveRow | null> {
  const [row] = await directory(env)
    .select()
    .from(tenantMoves)
    .where(
      and(eq(tenantMoves.tenantId, tenantId), isNull(tenantMoves.endedAt), isNull(tenantMoves.switchedAt)),
    );
  return row ?? null;
}

/** A move of a tenant. */
export interface MoveOf {
  readonly tenantId: number;
  readonly id: string;
}

/** Returns a move of a tenant, or `move_not_found`. */
export async function moveOf(env: Env, { tenantId, id }: MoveOf): Promise<Result<MoveRow>> {
  const move = await findMove(directory(env), id);
  return move?.tenantId === tenantId ? ok(move) : fail('move_not_found');
}

/**
 * Cancels a move: the tenant stays where it is, and the copy is deleted. `move_over` once the tenant has been switched.
 * Can be repeated.
 */
export async function cancelMove(env: Env, of: MoveOf): Promise<Result<MoveRow>> {
  await markCancelled(directory(env), of);
  const move = await moveOf(env, of);
  if (!move.ok) return move;
  return move.value.state === 'cancelling' || move.value.state === 'cancelled' ? move : fail('move_over');
}

/**
 * Moves a tenant back to the shard that it left within the last day, with what has been written since. `move_over`
 * before the switch and after the end.
 */
export async function undoMove(env: Env, of: MoveOf): Promise<Result<MoveRow>> {
  const move = await moveOf(env, of);
  if (!move.ok) return move;
  const { switchedAt, endedAt, source, target } = move.value;
  const home = await homeOf(directory(env), of.tenantId);
  if (switchedAt === null || endedAt !== null || home !== target) return fail('move_over');
  return requestMove(env, { tenantId: of.tenantId, shard: source, isReturn: true });
}
