import { id } from '../kernel/crypto/crypto.ts';
import {
  bookmarked,
  type NamedResults,
  type NamedStatements,
  namedBatch,
  type Statement,
} from '../kernel/data/database.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import {
  advanceClock,
  advanceVersion,
  type CatalogMove,
  type CatalogPosition,
  catalogPosition,
  clockTick,
  notifyCatalogMoved,
} from '../tenants/index.ts';
import { batchEvents, type NewEvent, outboxRow } from './outbox.ts';
import { type GatheredRelay, relayLater } from './relay.ts';

/** A write to a tenant's data: everything in it takes effect, or nothing does. */
export interface Write<Reads extends NamedStatements = NamedStatements> {
  readonly statements: readonly Statement[];
  /** Statements that roll the write back when its preconditions no longer hold; they run first. */
  readonly guards?: readonly Statement[];
  /** Events to record with the change, each with the next timestamp of the tenant's clock. */
  readonly events?: readonly Omit<NewEvent, 'sequence'>[];
  /** The batches under which `statements` record events and stock movements themselves. */
  readonly batches?: readonly string[];
  /** Whether responses of the catalogue change, so that its version must advance. Stock does so itself. */
  readonly catalogChanged?: boolean;
  /** Whether `statements` may advance the catalogue version themselves. */
  readonly mayAdvance?: boolean;
  /** Queries that run after the change, in the same transaction. */
  readonly reads?: Reads;
}

/** A committed write: the tenant's catalogue version, and what its `reads` returned, by name. */
interface Committed<Reads extends NamedStatements> {
  readonly version: number;
  readonly read: NamedResults<Reads>;
}

/** A context whose commits relay their events together. */
interface GatheringContext extends TenantContext {
  readonly relay?: GatheredRelay;
}

/**
 * Commits a write in one D1 batch with its outbox rows; then notifies the tenant's object, so that the change
 * holds everywhere within two seconds, and relays the events in the background. Throws the constraint violation
 * that rolled the write back (see `violation` and `guardFailed`). Once committed it never fails: chores repeat
 * what is lost.
 */
export async function commit<Reads extends NamedStatements = Record<never, never>>(
  ctx: GatheringContext,
  write: Write<Reads>,
): Promise<Committed<Reads>> {
  const { db, tenantId } = ctx;
  const { events = [], batches = [], catalogChanged = false, mayAdvance = false } = write;
  const own = { tenantId, batch: id('bat') };
  const outcome = {
    recorded: batchEvents(ctx, events.length > 0 ? [own.batch, ...batches] : batches),
    position: catalogPosition(ctx),
  };
  const statements = [
    ...(write.guards ?? []),
    ...(catalogChanged ? [advanceVersion(ctx)] : []),
    ...write.statements,
    ...(events.length > 0 ? [advanceClock(ctx, events.length)] : []),
    ...events.map((event, n) =>
      outboxRow(db, own, { ...event, sequence: clockTick(tenantId, events.length, n) }),
    ),
  ];
  const { value: results, bookmark } = await bookmarked(db, (session) =>
    namedBatch(session, { ...write.reads, ...outcome }, statements),
  );
  const { recorded, position, ...read } = results;
  if (ctx.relay) ctx.relay.add(ctx, recorded);
  else relayLater(ctx, recorded);
  const version = await announce(ctx, { ...position[0], bookmark }, catalogChanged || mayAdvance);
  // What remains are the results of `reads`.
  return { version, read: read as unknown as NamedResults<Reads> };
}

/** Notifies the tenant's object of a new catalogue version or changed stock. Returns the version. */
async function announce(
  { env, tenantId }: TenantContext,
  { version = 0, stockMovedAt = null, bookmark }: Partial<CatalogPosition> & Pick<CatalogMove, 'bookmark'>,
  mayHaveMoved: boolean,
): Promise<number> {
  if (mayHaveMoved || stockMovedAt !== null)
    await notifyCatalogMoved(env, tenantId, { version, stockMoved: stockMovedAt !== null, bookmark });
  return version;
}
