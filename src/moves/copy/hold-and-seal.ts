import { now } from '../../kernel/core/clock.ts';
import { DATABASE_CLOCK, TRIGGER_COUNT, triggersOf } from './change-log.ts';
import { copyChanges } from './copy-changes.ts';
import type { CopyContext, Schema } from './shard-rows.ts';

/** The longest time (ms) that a tenant's writes are held. */
const MAX_HOLD_MS = 2_000;
/** With more changes noted than this, writes are not held yet: the last round must be short. */
const MAX_LAST_CHANGES = 100;
/** Rounds before writes are held, and while they are. A round makes a few statements for each table with changes. */
const MAX_ROUNDS = 5;
const MAX_HELD_ROUNDS = 4;

/** The most tables of all rounds, each counted once a round: D1 allows 1,000 queries in an invocation. */
const MAX_ROUND_TABLES = 200;

/** How an attempt to seal ended. */
export type Sealing = 'sealed' | 'busy' | 'unnoted';

/** Returns whether the source refuses writes for good, as it does once an attempt has sealed it. */
export async function isSealed({ source, tenantId }: CopyContext): Promise<boolean> {
  const query = source.prepare('SELECT state FROM tenant_fences WHERE tenant_id = ?').bind(tenantId);
  return (await query.first<string>('state')) === 'moved';
}

/** Returns whether records of a tenant are being imported to its shard: until it is activated. */
export const isImporting = async (db: D1Database, tenantId: number): Promise<boolean> => {
  const query = db.prepare("SELECT 1 FROM tenant_fences WHERE tenant_id = ? AND state = 'importing'");
  // The databases of a panel's pages, which batch reads, have no `first`.
  return (await query.bind(tenantId).all()).results.length > 0;
};

/**
 * Copies changes until few are noted. Returns the number of tables of these rounds, each counted once a round, or null
 * where more changes are left than one step copies.
 */
export async function copyLastChanges(ctx: CopyContext, schema: Schema): Promise<number | null> {
  let tables = 0;
  for (let round = 0; ; round++) {
    const copied = await copyChanges(ctx, schema);
    tables += copied.tables;
    if (copied.total <= MAX_LAST_CHANGES) return tables;
    if (round >= MAX_ROUNDS || tables >= MAX_ROUND_TABLES / 2) return null;
  }
}

/**
 * Holds the tenant's writes, copies the changes since {@link copyLastChanges}, and makes the source refuse writes for
 * good. The hold ends by itself after two seconds, whatever becomes of this step; then the seal fails. `busy` if the
 * hold was too short, `unnoted` if triggers are gone that note changes: the source then takes writes as before.
 */
export async function holdAndSeal(ctx: CopyContext, schema: Schema, tables: number): Promise<Sealing> {
  const heldAt = now();
  await hold(ctx);
  const outcome = await sealHeld(ctx, schema, { heldAt, tables });
  if (outcome !== 'sealed') await release(ctx);
  return outcome;
}

/** A hold: when it began (ms), and the tables of the rounds before it. */
interface Hold {
  readonly heldAt: number;
  readonly tables: number;
}

async function sealHeld(ctx: CopyContext, schema: Schema, { heldAt, tables }: Hold): Promise<Sealing> {
  let left = MAX_ROUND_TABLES - tables;
  for (let round = 0; ; round++) {
    const copied = await copyChanges(ctx, schema);
    if (copied.total === 0) break;
    left -= copied.tables;
    if (round >= MAX_HELD_ROUNDS || left < 0 || now() - heldAt > MAX_HOLD_MS) return 'busy';
  }
  if (!(await notesChanges(ctx))) return 'unnoted';
  return (await seal(ctx)) ? 'sealed' : 'busy';
}

/**
 * Makes the source refuse the tenant's writes for two seconds from now, unless a later step has changed its fence, or the
 * tenant is being imported: then the seal fails.
 */
const hold = ({ source, tenantId, epoch }: CopyContext): Promise<unknown> =>
  source
    .prepare(
      `INSERT INTO tenant_fences (tenant_id, state, epoch, held_until)
      VALUES (?1, 'held', ?2, ${DATABASE_CLOCK} + ${MAX_HOLD_MS})
      ON CONFLICT (tenant_id) DO UPDATE SET state = 'held', epoch = excluded.epoch, held_until = excluded.held_until
        WHERE epoch < excluded.epoch AND state NOT IN ('moved', 'importing')`,
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
 * hold or seal it. Background work still waits for the end of an import.
 */
export const release = ({ source, tenantId, epoch }: CopyContext): Promise<unknown> =>
  source
    .prepare(
      `INSERT INTO tenant_fences (tenant_id, state, epoch) VALUES (?1, 'live', ?2)
      ON CONFLICT (tenant_id) DO UPDATE
        SET state = iif(state = 'importing', state, 'live'), held_until = NULL, epoch = excluded.epoch
        WHERE epoch <= excluded.epoch`,
    )
    .bind(tenantId, epoch)
    .run();

/** Returns whether the source has all triggers that note changes. */
async function notesChanges({ source, tenantId }: CopyContext): Promise<boolean> {
  return (await triggersOf(source, tenantId).all()).results.length === TRIGGER_COUNT;
}

/** Opens the target for the background work of its shard, once the tenant has been switched. */
export const arrive = ({ target, tenantId, epoch }: CopyContext): Promise<unknown> =>
  target
    .prepare(
      "UPDATE tenant_fences SET state = 'live' WHERE tenant_id = ? AND epoch <= ? AND state = 'arriving'",
    )
    .bind(tenantId, epoch)
    .run();
