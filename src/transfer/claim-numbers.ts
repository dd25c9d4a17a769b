import { sql } from 'drizzle-orm';
import {
  batch,
  type Database,
  jsonList,
  rows,
  type Statement,
  shardDatabase,
} from '../kernel/data/database.ts';
import {
  type PositionedTable,
  reserveIds,
  reservePositions,
  type SequenceName,
  shardOfId,
  shardOfPosition,
} from '../kernel/data/ids.ts';
import { shardOf } from '../kernel/shards/shard-map.ts';
import { type ShardName, shardNames, shardNumber } from '../kernel/shards/shard-names.ts';
import type { TransferRecord } from './schemas.ts';

/** How the rows of a table are identified across all shards: by an id of a sequence, or by a position. */
type Numbering =
  | { readonly column: 'id'; readonly sequence: SequenceName }
  | { readonly column: 'id' | 'position'; readonly positioned: PositionedTable };

const idOf = (sequence: SequenceName): Numbering => ({ column: 'id', sequence });
const positionOf = (positioned: PositionedTable, column: 'id' | 'position' = 'id'): Numbering => ({
  column,
  positioned,
});

/** The tables on shards whose rows a number names by itself: a tenant keeps it when it moves. */
export const NUMBERED: Readonly<Record<string, Numbering>> = {
  products: idOf('item'),
  variants: idOf('item'),
  inventory_items: idOf('item'),
  categories: idOf('category'),
  customers: idOf('customer'),
  applications: idOf('application'),
  promotions: idOf('promotion'),
  webhooks: idOf('webhook'),
  slots: idOf('slot'),
  outbox: positionOf('outbox', 'position'),
  stock_movements: positionOf('stock_movements'),
  audit_log: positionOf('audit_log'),
  reservations: positionOf('reservations'),
};

/** The numbers of one table's records. */
interface Numbers {
  readonly table: string;
  readonly numbering: Numbering;
  readonly numbers: readonly number[];
}

/**
 * Keeps the other shards from giving the numbers of these records from now on, so that the tenant can be moved there.
 * Returns false if another tenant has one of them there already. One round trip to each other shard, all at once.
 * A shard that is bound later has a range of its own, which an export of a larger deployment may have used.
 */
export async function claimNumbers(
  env: Env,
  tenantId: number,
  records: readonly TransferRecord[],
): Promise<boolean> {
  const own = await shardOf(env, tenantId);
  const others = shardNames(env).filter((name) => name !== own);
  const found = numbersOf(records);
  if (others.length === 0 || found.length === 0) return true;
  const taken = await Promise.all(others.map((name) => claimOn(env, name, { tenantId, found })));
  return !taken.includes(true);
}

function numbersOf(records: readonly TransferRecord[]): Numbers[] {
  const found = Map.groupBy(records, ({ table }) => table);
  return [...found].flatMap(([table, ofTable]) => {
    const numbering = NUMBERED[table];
    if (!numbering) return [];
    const numbers = ofTable.map(({ row }) => row[numbering.column]).filter((n) => typeof n === 'number');
    return numbers.length > 0 ? [{ table, numbering, numbers }] : [];
  });
}

interface Claim {
  readonly tenantId: number;
  readonly found: readonly Numbers[];
}

/** Reserves the numbers that a shard would give, and returns whether another tenant has one of them on it. */
async function claimOn(env: Env, shard: ShardName, { tenantId, found }: Claim): Promise<boolean> {
  const db = shardDatabase(env, shard);
  const reservations = found.flatMap((one) => reservationsOf(db, one, shardNumber(shard)));
  const checks = found.map((one) => takenBy(db, one, tenantId));
  const results = await batch(db, [...reservations, ...checks]);
  return results.slice(reservations.length).some((taken) => Array.isArray(taken) && taken.length > 0);
}

function reservationsOf(db: Database, { numbering, numbers }: Numbers, shard: number): Statement[] {
  if ('sequence' in numbering) {
    const own = numbers.filter((id) => shardOfId(id) === shard);
    return own.length > 0 ? [reserveIds(db, numbering.sequence, Math.max(...own))] : [];
  }
  const own = numbers.filter((position) => shardOfPosition(position) === shard);
  return own.length > 0 ? reservePositions(db, numbering.positioned, Math.max(...own)) : [];
}

/** Returns the query for one row with such a number that is another tenant's. */
const takenBy = (db: Database, { table, numbering, numbers }: Numbers, tenantId: number): Statement =>
  rows(
    db,
    // Both names are those of the list.
    sql`SELECT 1 FROM ${sql.raw(table)}
      WHERE ${sql.raw(numbering.column)} IN (${jsonList(numbers)}) AND tenant_id <> ${tenantId} LIMIT 1`,
  );
