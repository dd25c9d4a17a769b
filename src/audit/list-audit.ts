import { database, databaseAt, isOutage } from '../kernel/data/database.ts';
import { slugsOf } from '../kernel/shards/placements.ts';
import { mainDatabases } from '../kernel/shards/shard-names.ts';
import { readForwarded } from './recording/forward.ts';
import { type AuditFilter, matchingEntries } from './store.ts';
import type { AuditRow } from './tables.ts';

/** An entry; in a list of all tenants with the slug of its own, else null. */
export interface ListedEntry extends AuditRow {
  readonly tenant: string | null;
}

/** Entries, newest first. */
export interface AuditPage {
  readonly entries: readonly ListedEntry[];
  /** Where older entries begin; null if there are none. */
  readonly older: string | null;
  /** The databases that can't be reached, whose entries are missing. */
  readonly unavailable: readonly string[];
}

/** A part of the list. */
export interface AuditPlace {
  readonly limit: number;
  /** The `older` of the page before it; "" for the newest entries. */
  readonly before: string;
}

/** Entries of one database, newest first; null if it can't be reached. */
interface Source {
  readonly name: string;
  readonly rows: readonly AuditRow[] | null;
}

/** The id that the older entries of each database are below. */
type Positions = Readonly<Record<string, number>>;

/**
 * Returns the entries of a page. Those of one tenant are all on its shard. Those of all tenants and of the platform are
 * on every main database, and are merged by time.
 */
export async function listAudit(env: Env, filter: AuditFilter, place: AuditPlace): Promise<AuditPage> {
  const positions = positionsIn(place.before);
  const read = () =>
    Promise.all(
      databasesOf(env, filter.tenant).map(async ({ name, db }): Promise<Source> => {
        const own = { ...filter, before: positions[name] };
        return { name, rows: await matchingEntries(db, own, place.limit + 1).catch(nullInOutage) };
      }),
    );
  const { tenant } = filter;
  const sources = await (tenant ? readForwarded(env, tenant, read) : read());
  const found = merged(sources);
  const shown = found.slice(0, place.limit);
  const tenantIds = filter.tenant === undefined ? [...new Set(shown.map(({ row }) => row.tenantId))] : [];
  const slugs = tenantIds.length > 0 ? await slugsOf(env, tenantIds) : new Map<number, string>();
  return {
    entries: shown.map(({ row }) => ({ ...row, tenant: slugs.get(row.tenantId) ?? null })),
    older: found.length > shown.length ? formatPositions({ ...positions, ...lastOf(shown) }) : null,
    unavailable: sources.filter(({ rows }) => rows === null).map(({ name }) => name),
  };
}

/** Returns the databases that have a tenant's entries, or all; none for 0, which is no tenant's id. */
function databasesOf(env: Env, tenantId: number | undefined) {
  if (tenantId === undefined)
    return mainDatabases(env).map((name) => ({ name, db: databaseAt(Reflect.get(env, name)) }));
  return tenantId === 0 ? [] : [{ name: 'TENANT', db: database(env, tenantId) }];
}

function nullInOutage(error: unknown): null {
  if (isOutage(error)) return null;
  throw error;
}

/** An entry and the database that it is from. */
interface Found {
  readonly name: string;
  readonly row: AuditRow;
}

/** Merges the entries of all databases by time, the latest first; those of one database keep their order. */
function merged(sources: readonly Source[]): Found[] {
  const left = sources.map(({ name, rows }) => ({ name, rows: [...(rows ?? [])] }));
  const found: Found[] = [];
  for (;;) {
    const [next] = left.toSorted((one, other) => (other.rows[0]?.at ?? -1) - (one.rows[0]?.at ?? -1));
    const row = next?.rows.shift();
    if (!next || !row) return found;
    found.push({ name: next.name, row });
  }
}

/** Returns the id of the oldest of these entries in each database. */
const lastOf = (shown: readonly Found[]): Positions =>
  Object.fromEntries(shown.map(({ name, row }) => [name, row.id]));

/** Serializes positions: `DB-12.SHARD_01-340`. */
const formatPositions = (positions: Positions): string =>
  Object.entries(positions)
    .map(([name, id]) => `${name}-${id}`)
    .join('.');

/** Parses positions; a part in another format is left out. */
const positionsIn = (text: string): Positions =>
  Object.fromEntries(
    text.split('.').flatMap((part) => {
      const [, name, id] = /^([A-Z]+(?:_\d\d)?)-(\d{1,15})$/.exec(part) ?? [];
      return name && id ? [[name, Number(id)] as const] : [];
    }),
  );
