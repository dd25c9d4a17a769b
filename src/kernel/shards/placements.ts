import { and, asc, count, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import { BoundedMap } from '../core/bounded-map.ts';
import { MINUTE, now } from '../core/clock.ts';
import { type ListPage, rowsBefore } from '../core/pagination.ts';
import { batch, beginsWith, directory, jsonList, namedBatch, run, type Statement } from '../data/database.ts';
import { knownShard, learnShard } from './shard-map.ts';
import { type ShardName, shardNames } from './shard-names.ts';
import { placements, shards } from './tables.ts';

/** Where a tenant's rows are. */
export type Placement = typeof placements.$inferSelect;

/** The most tenants whose id an isolate remembers by their slug, which never changes; the oldest are evicted. */
const MAX_SLUGS = 10_000;

const ids = new BoundedMap<string, number>(MAX_SLUGS);

/**
 * Returns the id of the tenant with a slug, or null if there is none. One query of the directory unless the isolate
 * knows the tenant's shard too, which the caller's first statement would ask for.
 */
export async function tenantIdOf(env: Env, slug: string): Promise<number | null> {
  const known = ids.get(slug);
  if (known !== undefined && knownShard(env, known) !== null) return known;
  const found = await placementOf(env, slug);
  return found?.state === 'placed' ? found.tenantId : null;
}

const placementQuery = (env: Env, slug: string) =>
  directory(env).select().from(placements).where(eq(placements.slug, slug));

/** Returns the placement of the tenant with a slug, or null if there is none. */
export async function placementOf(env: Env, slug: string): Promise<Placement | null> {
  const [found] = await placementQuery(env, slug);
  if (found) learnShard(found.tenantId, found.shard);
  if (found?.state === 'placed') ids.set(found.slug, found.tenantId);
  return found ?? null;
}

/**
 * Returns the placement of the tenant with a slug to a call that goes on with its creation, or null if there is none. An
 * unfinished one counts as begun now, so that nobody gives it up meanwhile.
 */
export async function resumePlacement(env: Env, slug: string): Promise<Placement | null> {
  const found = await placementOf(env, slug);
  if (found?.state !== 'creating') return found;
  const isSame = and(eq(placements.slug, slug), eq(placements.state, 'creating'));
  const [resumed] = await directory(env)
    .update(placements)
    .set({ createdAt: now() })
    .where(isSame)
    .returning();
  // It was ended or given up since it was read.
  return resumed ?? placementOf(env, slug);
}

/** Returns the slugs of tenants by id. */
export async function slugsOf(env: Env, tenantIds: readonly number[]): Promise<Map<number, string>> {
  const found = await directory(env)
    .select({ id: placements.tenantId, slug: placements.slug })
    .from(placements)
    .where(sql`${placements.tenantId} IN (${jsonList(tenantIds)})`);
  return new Map(found.map(({ id, slug }) => [id, slug]));
}

/** The tenants to list: those whose slug begins with `slug`, and those with one of the ids. */
export interface PlacementSearch {
  readonly slug: string;
  readonly tenantIds: readonly number[];
}

const isFound = ({ slug, tenantIds }: PlacementSearch): SQL =>
  sql`(${beginsWith(sql`slug`, slug)} OR tenant_id IN (${jsonList(tenantIds)}))`;

/** Returns a page of the placements of all tenants, or of those found, sorted by slug, and their total. */
export async function listPlacements(
  env: Env,
  page: ListPage<string>,
  search: PlacementSearch | null,
): Promise<{ rows: Placement[]; total: number }> {
  const db = directory(env);
  const found = search === null ? undefined : isFound(search);
  const placed = and(eq(placements.state, 'placed'), found);
  // By slug, and not all tenants by their state.
  const listed = and(sql`+${placements.state} = 'placed'`, found);
  const { rows, counted } = await namedBatch(db, {
    rows: db
      .select()
      .from(placements)
      .where(page.after === null ? listed : and(listed, gt(placements.slug, page.after)))
      .orderBy(asc(placements.slug))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    counted: db.select({ total: count() }).from(placements).where(placed),
  });
  for (const { tenantId, shard } of rows) learnShard(tenantId, shard);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** A tenant to find room for. */
interface NewPlacement {
  readonly slug: string;
  /** Whether the tenant gets a shard of its own, if an empty one is free. */
  readonly alone: boolean;
  /** The id, or the expression that allots it. */
  readonly tenantId: number | SQL<number>;
  /** The shards that the tenant may be on. */
  readonly candidates: readonly ShardName[];
}

/** The bytes and the events a minute at which a shard is full: three quarters of what D1 stores and can write. */
const FULL_BYTES = 7.5 * 1024 ** 3;
const FULL_EVENTS = 15_000;
/** A shard whose last measurement is older than this (ms) may be down. */
const MEASURE_MAX_AGE_MS = 10 * MINUTE;

/**
 * Returns the statements that assign a new tenant to a shared shard: the least full one (in steps of 5 %), of equal ones
 * that with the fewest tenants. A shard measured within the last ten minutes is preferred to every other. They fail with a
 * violated UNIQUE constraint if another placement has the slug or id.
 */
export function placementStatements(
  env: Env,
  { slug, alone, tenantId, candidates }: NewPlacement,
): Statement[] {
  const db = directory(env);
  const at = now();
  const tenants = sql`(SELECT count(*) FROM placements p WHERE p.shard = s.value)`;
  const fill = sql`CAST(20 * max(coalesce(m.bytes, 0) / ${FULL_BYTES}, coalesce(m.events, 0) * 1.0 / ${FULL_EVENTS}) AS INTEGER)`;
  const chosen = sql`SELECT s.value FROM (${jsonList(candidates)}) s LEFT JOIN shards m ON m.name = s.value
    ORDER BY m.owner_id IS NOT NULL, coalesce(m.measured_at, ${at}) < ${at - MEASURE_MAX_AGE_MS},
      ${alone ? 1 : 0} AND ${tenants} > 0, ${fill}, ${tenants}, s.value LIMIT 1`;
  const place = run(
    db,
    sql`INSERT INTO placements (tenant_id, slug, shard, state, created_at)
      VALUES (${tenantId}, ${slug}, (${chosen}), 'creating', ${at})`,
  );
  return alone ? [place, ownStatement(env, slug)] : [place];
}

/**
 * Returns the statement that reserves a tenant's shard for it, if it has no other tenant and isn't the last shared
 * one.
 */
const ownStatement = (env: Env, slug: string): Statement =>
  run(
    directory(env),
    sql`INSERT INTO shards (name, bytes, events, measured_at, owner_id)
      SELECT p.shard, 0, 0, ${now()}, p.tenant_id FROM placements p WHERE p.slug = ${slug}
        AND NOT EXISTS (SELECT 1 FROM placements o WHERE o.shard = p.shard AND o.tenant_id <> p.tenant_id)
        AND EXISTS (SELECT 1 FROM (${jsonList(shardNames(env))}) s LEFT JOIN shards m ON m.name = s.value
          WHERE s.value <> p.shard AND m.owner_id IS NULL)
      ON CONFLICT (name) DO UPDATE SET owner_id = excluded.owner_id WHERE owner_id IS NULL`,
  );

/**
 * Places a tenant, in one batch with the `marks` of the directory. Throws for a violated constraint, as
 * {@link placementStatements} says.
 */
export async function placeTenant(
  env: Env,
  place: NewPlacement,
  marks: readonly Statement[],
): Promise<Placement> {
  const statements = [...placementStatements(env, place), ...marks];
  const { found } = await namedBatch(directory(env), { found: placementQuery(env, place.slug) }, statements);
  const [placed] = found;
  if (!placed) throw new Error('An insert made no placement');
  learnShard(placed.tenantId, placed.shard);
  return placed;
}

/** Ends the creation of a tenant whose shard has its row, in one batch with `more` statements of the directory. */
export async function endPlacement(
  env: Env,
  placed: Pick<Placement, 'slug' | 'tenantId'>,
  more: readonly Statement[],
): Promise<void> {
  await batch(directory(env), [...more, placedStatement(env, placed.tenantId)]);
  ids.set(placed.slug, placed.tenantId);
}

/** Returns the statement that ends the creation of a tenant: its shard has its row. */
export const placedStatement = (env: Env, tenantId: number): Statement =>
  directory(env).update(placements).set({ state: 'placed' }).where(eq(placements.tenantId, tenantId));

/** Returns at most `limit` unfinished placements after a tenant id that were begun before `before` (ms), by tenant id. */
export const unfinishedPlacements = (
  env: Env,
  before: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Placement[]> =>
  directory(env)
    .select()
    .from(placements)
    .where(
      and(eq(placements.state, 'creating'), lt(placements.createdAt, before), gt(placements.tenantId, after)),
    )
    .orderBy(asc(placements.tenantId))
    .limit(limit);

/** A creation to give up: of a tenant, and only if it was begun before `before` (ms). */
export interface GivenUp {
  readonly tenantId: number;
  readonly before: number;
}

/** Returns the condition that a tenant's creation is not ended, and was begun before a time. */
export const isUnfinished = ({ tenantId, before }: GivenUp): SQL =>
  sql`EXISTS (SELECT 1 FROM placements WHERE tenant_id = ${tenantId} AND state = 'creating' AND created_at < ${before})`;

/** Returns the statements that give up an unfinished placement, so that its slug is free again. */
export function abandonStatements(env: Env, given: GivenUp): Statement[] {
  const db = directory(env);
  const { tenantId } = given;
  return [
    db
      .update(shards)
      .set({ ownerId: null })
      .where(and(eq(shards.ownerId, tenantId), isUnfinished(given))),
    db.delete(placements).where(and(eq(placements.tenantId, tenantId), isUnfinished(given))),
  ];
}

/** The size of a shard's database (bytes), and the events that it recorded in the last minute. */
interface ShardMeasure {
  readonly bytes: number;
  readonly events: number;
}

/** Records a shard's size and load. */
export const recordMeasure = (env: Env, name: ShardName, measure: ShardMeasure): Promise<unknown> => {
  const measured = { ...measure, measuredAt: now() };
  return directory(env)
    .insert(shards)
    .values({ name, ...measured })
    .onConflictDoUpdate({ target: shards.name, set: measured });
};

/** Returns whether a shard stored so much when it was last measured that it should get no more tenants. */
export async function isFullShard(env: Env, name: string): Promise<boolean> {
  const [measured] = await directory(env)
    .select({ bytes: shards.bytes })
    .from(shards)
    .where(eq(shards.name, sql`${name}`));
  return (measured?.bytes ?? 0) >= FULL_BYTES;
}

/** A shard as the directory knows it; without figures until the cron has measured it. */
export interface ShardState extends ShardMeasure {
  readonly name: ShardName;
  readonly tenants: number;
  readonly measuredAt: number | null;
}

/** Returns all shards with their size, load and number of tenants. */
export async function listShards(env: Env): Promise<ShardState[]> {
  const db = directory(env);
  const { measured, counted } = await namedBatch(db, {
    measured: db.select().from(shards),
    counted: db
      .select({ shard: placements.shard, tenants: count() })
      .from(placements)
      .groupBy(placements.shard),
  });
  return shardNames(env).map((name) => {
    const row = measured.find((one) => one.name === name);
    const tenants = counted.find(({ shard }) => shard === name)?.tenants ?? 0;
    const { bytes = 0, events = 0, measuredAt = null } = row ?? {};
    return { name, tenants, bytes, events, measuredAt };
  });
}
