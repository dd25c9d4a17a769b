import { now } from '../../kernel/core/clock.ts';
import { DATABASE_CLOCK, TRIGGER_COUNT, triggersOf } from './change-log.ts';
import { copyChanges } from './copy-changes.ts';
import { conditionOf, MOVED_TABLES, type MovedTable } from './moved-tables.ts';
import type { CopyContext, Schema } from './shard-rows.ts';

/** The longest time (ms) that a tenant's writes are held. */
const MAX_HOLD_MS = 2_000;
/** With more changes noted than this, writes are not held yet: the last round must be short. */
const MAX_LAST_CHANGES = 100;
/** Rounds before writes are held, and while they are. A round makes a few statements for each table with changes. */
const MAX_ROUNDS = 5;
const MAX_HELD_ROUNDS = 4;

/** Rounds that compare sizes before writes are held, and copy changes before each. */
const MAX_SIZE_ROUNDS = 3;

/** How an attempt to seal ended. */
export type Sealing = 'sealed' | 'behind' | 'busy' | 'differs';

/** Returns whether the source refuses writes for good, as it does once an attempt has sealed it. */
export async function isSealed({ source, tenantId }: CopyContext): Promise<boolean> {
  const query = source.prepare('SELECT state FROM tenant_fences WHERE tenant_id = ?').bind(tenantId);
  return (await query.first<string>('state')) === 'moved';
}

/**
 * Compares the tables' sizes, holds the tenant's writes, copies the last changes, and makes the source refuse writes
 * for good. The hold ends by itself after two seconds, whatever becomes of this step; then the seal fails. `behind` if
 * changes come faster than they are copied, `busy` if the hold was too short, `differs` if a table has other rows at
 * the target: the source then takes writes as before.
 */
export async function holdAndSeal(ctx: CopyContext, schema: Schema): Promise<Sealing> {
  const changing = await compareSizes(ctx, schema);
  if (!changing) return 'differs';
  for (let round = 0; (await copyChanges(ctx, schema)).total > MAX_LAST_CHANGES; round++) {
    if (round >= MAX_ROUNDS) return 'behind';
  }
  const heldAt = now();
  await hold(ctx);
  const outcome = await sealHeld(ctx, schema, { changing, heldAt });
  if (outcome !== 'sealed') await release(ctx);
  return outcome;
}

/** A hold: when it began (ms), and the tables whose sizes are compared only now. */
interface Hold {
  readonly heldAt: number;
  readonly changing: readonly MovedTable[];
}

async function sealHeld(ctx: CopyContext, schema: Schema, { heldAt, changing }: Hold): Promise<Sealing> {
  for (let round = 0; (await copyChanges(ctx, schema)).total > 0; round++) {
    if (round >= MAX_HELD_ROUNDS || now() - heldAt > MAX_HOLD_MS) return 'busy';
  }
  if (!(await sameSizes(ctx, changing))) return 'differs';
  return (await seal(ctx)) ? 'sealed' : 'busy';
}

/** Makes the source refuse the tenant's writes for two seconds from now, unless a later step has changed its fence. */
const hold = ({ source, tenantId, epoch }: CopyContext): Promise<unknown> =>
  source
    .prepare(
      `INSERT INTO tenant_fences (tenant_id, state, epoch, held_until)
      VALUES (?1, 'held', ?2, ${DATABASE_CLOCK} + ${MAX_HOLD_MS})
      ON CONFLICT (tenant_id) DO UPDATE SET state = 'held', epoch = excluded.epoch, held_until = excluded.held_until
        WHERE epoch < excluded.epoch AND state <> 'moved'`,
    )
    .bind(tenantId, epoch)
    .run();

/** Makes the source refuse the tenant's writes for good, if they are held still and every change is copied. */
async function seal({ source, tenantId, epoch }: CopyContext): Promise<boolean> {
  const sealed = await source
    .prepare(
      `UPDATE tenant_fences SET state = 'moved', held_until = NULL
      WHERE tenant_id = ?1 AND state = 'held' AND epoch = ?2 AND held_until > ${DATABASE_CLOCK}
        AND NOT EXISTS (SELECT 1 FROM move_changes WHERE tenant_id = ?1) RETURNING 1`,
    )
    .bind(tenantId, epoch)
    .first();
  return sealed !== null;
}

/**
 * Lets the source take the tenant's writes, unless a later step has changed its fence. From here on no earlier step can
 * hold or seal it.
 */
export const release = ({ source, tenantId, epoch }: CopyContext): Promise<unknown> =>
  source
    .prepare(
      `INSERT INTO tenant_fences (tenant_id, state, epoch) VALUES (?1, 'live', ?2)
      ON CONFLICT (tenant_id) DO UPDATE SET state = 'live', held_until = NULL, epoch = excluded.epoch
        WHERE epoch <= excluded.epoch`,
    )
    .bind(tenantId, epoch)
    .run();

const countOf = (table: MovedTable): string =>
  `SELECT count(*) AS n FROM ${table.name} WHERE ${conditionOf(table)}`;

/**
 * Compares the tables' sizes while the source takes writes: counting millions of rows takes longer than a hold. Returns
 * the tables of which changes were noted each time, or null if the copies of another one differ.
 */
async function compareSizes(ctx: CopyContext, schema: Schema): Promise<readonly MovedTable[] | null> {
  let changing: readonly MovedTable[] = MOVED_TABLES;
  for (let round = 0; round < MAX_SIZE_ROUNDS && changing.length > 0; round++) {
    await copyChanges(ctx, schema);
    const still: MovedTable[] = [];
    for (const table of changing) {
      const size = await compareSize(ctx, table);
      if (size === 'differs') return null;
      if (size === 'changing') still.push(table);
    }
    changing = still;
  }
  return changing;
}

/** Compares a table's size at both shards; `changing` if the target lacks changes that are noted. */
async function compareSize(
  { source, target, tenantId }: CopyContext,
  table: MovedTable,
): Promise<'same' | 'differs' | 'changing'> {
  // One statement: rows and notes of one instant.
  const noted = `SELECT 1 FROM move_changes WHERE tenant_id = ?1 AND name = '${table.name}'`;
  const [own, copied] = await Promise.all([
    source
      .prepare(`SELECT EXISTS (${noted}) AS noted, n FROM (${countOf(table)})`)
      .bind(tenantId)
      .first<{ n: number; noted: number }>(),
    target.prepare(countOf(table)).bind(tenantId).first<{ n: number }>(),
  ]);
  if (own?.noted) return 'changing';
  return own?.n === copied?.n ? 'same' : 'differs';
}

/** Returns whether these tables have as many rows at the target, and the source all triggers that note changes. */
async function sameSizes(
  { source, target, tenantId }: CopyContext,
  tables: readonly MovedTable[],
): Promise<boolean> {
  const counts = (db: D1Database) => tables.map((table) => db.prepare(countOf(table)).bind(tenantId));
  const [[triggers, ...own], copied] = await Promise.all([
    source.batch<{ n: number }>([triggersOf(source, tenantId), ...counts(source)]),
    tables.length > 0 ? target.batch<{ n: number }>(counts(target)) : [],
  ]);
  if (triggers?.results.length !== TRIGGER_COUNT) return false;
  return own.every(({ results }, n) => results[0]?.n === copied[n]?.results[0]?.n);
}

/** Opens the target for the background work of its shard, once the tenant has been switched. */
export const arrive = ({ target, tenantId, epoch }: CopyContext): Promise<unknown> =>
  target
    .prepare(
      "UPDATE tenant_fences SET state = 'live' WHERE tenant_id = ? AND epoch <= ? AND state = 'arriving'",
    )
    .bind(tenantId, epoch)
    .run();
