import { restoreCart } from '../cart/index.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { guardFailed, isOutage } from '../kernel/data/database.ts';
import { MAX_ID } from '../kernel/data/ids.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { claimNumbers } from './claim-numbers.ts';
import type { TransferRecord } from './schemas.ts';
import { TRANSFERRED_TABLES } from './transferred-tables.ts';

/** The columns of a table and those that, with the tenant, name a row. */
interface Columns {
  readonly all: ReadonlySet<string>;
  readonly key: readonly string[];
}

/** A tenant and the database that one of its tables is in. */
interface Place {
  readonly client: D1Database;
  readonly tenantId: number;
}

const IN_DIRECTORY = new Set(
  TRANSFERRED_TABLES.filter(({ inDirectory }) => inDirectory).map(({ name }) => name),
);

const KEYS = new Map(TRANSFERRED_TABLES.map(({ name, key }) => [name, key]));

/**
 * Writes records of a suspended tenant: those of its shard in one batch, those of the directory in another, carts
 * last. A record that exists already stays as it is, so a call can be repeated. Fails with `conflict` if another tenant
 * has a record with the same id, and with `validation_error` if one doesn't fit its table. Writes rows of other
 * modules' tables verbatim: see decision 15.
 */
export async function importRecords(
  { env, tenantId, db }: TenantContext,
  records: readonly TransferRecord[],
): Promise<Result<number>> {
  const carts = records.filter(({ table }) => table === 'carts');
  const rows = records.filter(({ table }) => table !== 'carts');
  const client = db.$client;
  // Only the first one was checked in depth; see `importedTenant`.
  if (records.slice(1).some(({ table }) => table === 'tenants'))
    return invalid('only the first may be of tenants');
  const columns = await columnsOf(client, new Set(rows.map(({ table }) => table)));
  const misfit = rows.find(({ table, row }) => !fits(columns.get(table), row));
  if (misfit) return invalid(`a row of ${misfit.table} has other columns than the table`);
  const far = rows.find(({ row }) => !leavesRoom(row));
  if (far) return invalid(`a row of ${far.table} has an id or a position that no shard gives`);
  if (!(await claimNumbers(env, tenantId, rows))) return fail('conflict', { message: TAKEN });
  const writesTo = (inDirectory: boolean): D1PreparedStatement[] => {
    const place = { client: inDirectory ? env.DB : client, tenantId };
    return rows
      .filter(({ table }) => IN_DIRECTORY.has(table) === inDirectory)
      .flatMap((record) => statementsOf(place, record, columns));
  };
  try {
    const place = { client, tenantId };
    await client.batch([...writesTo(false), demandSuspended(place), holdChores(place)]);
    const shared = writesTo(true);
    if (shared.length > 0) await env.DB.batch(shared);
  } catch (error) {
    if (guardFailed(error)) return fail('conflict', { message: TAKEN });
    if (isOutage(error)) throw error;
    return invalid('a row violates a constraint of its table');
  }
  for (const { row } of carts) {
    const cart = { cartId: String(row.id), content: String(row.content) };
    const restored = await restoreCart({ env, tenantId }, cart);
    if (!restored) return invalid('a cart has another format');
  }
  return ok(records.length);
}

const TAKEN = 'Another tenant has the id of a record, or the tenant has been activated.';

/** Returns the statement that aborts a batch unless the tenant is still suspended. */
const demandSuspended = ({ client, tenantId }: Place): D1PreparedStatement =>
  client
    .prepare(
      "INSERT INTO guards (reason) SELECT 'active' WHERE NOT EXISTS (SELECT 1 FROM tenants WHERE id = ? AND status = 'suspended')",
    )
    .bind(tenantId);

/**
 * Returns the statement that keeps background work from the tenant until it is activated: what an expired hold or a
 * sale changes would contradict the rows that are still to come, or take their positions.
 */
const holdChores = ({ client, tenantId }: Place): D1PreparedStatement =>
  client
    .prepare(
      `INSERT INTO tenant_fences (tenant_id, state, epoch) VALUES (?, 'importing', 0)
      ON CONFLICT (tenant_id) DO UPDATE SET state = 'importing' WHERE state = 'live'`,
    )
    .bind(tenantId);

const invalid = (text: string) => fail('validation_error', { errors: { records: [text] } });

/** Reads the columns of these tables. */
async function columnsOf(client: D1Database, tables: ReadonlySet<string>): Promise<Map<string, Columns>> {
  const names = [...tables];
  if (names.length === 0) return new Map();
  const infos = await client.batch<{ name: string }>(
    // The schema has checked that each is a name of the list.
    names.map((name) => client.prepare(`PRAGMA table_info(${name})`)),
  );
  return new Map(
    names.map((name, n) => [
      name,
      {
        all: new Set(infos[n]?.results.map((column) => column.name)),
        key: name === 'tenants' ? ['slug', 'id'] : (KEYS.get(name) ?? []),
      },
    ]),
  );
}

/** Returns whether a row has exactly the columns of its table, but for the tenant's. */
function fits(columns: Columns | undefined, row: TransferRecord['row']): boolean {
  const names = Object.keys(row);
  const expected = [...(columns?.all ?? [])].filter((name) => name !== 'tenant_id');
  return names.length === expected.length && names.every((name) => columns?.all.has(name));
}

/** Returns whether a text is a number to SQLite, which a column of numbers then takes as one. */
const isNumeric = (value: string): boolean => value.trim() !== '' && !Number.isNaN(Number(value));

/**
 * Returns whether a row's id and position are among those that shards give: other shards can then give higher ones, and
 * search can hold them. No export has one as text.
 */
const leavesRoom = ({ id = null, position = null }: TransferRecord['row']): boolean =>
  [id, position].every(
    (value) =>
      value === null || (typeof value === 'string' ? !isNumeric(value) : value >= 0 && value <= MAX_ID),
  );

/** Returns the statements that write a row unless it is there, and abort the batch if another tenant has its id. */
function statementsOf(
  { client, tenantId }: Place,
  { table, row }: TransferRecord,
  columns: ReadonlyMap<string, Columns>,
): D1PreparedStatement[] {
  const owner = table === 'tenants' ? {} : { tenant_id: tenantId };
  // An imported tenant serves nobody until it is complete.
  const values: TransferRecord['row'] = {
    ...row,
    ...(table === 'tenants' ? { status: 'suspended' } : owner),
  };
  const names = Object.keys(values);
  const key = columns.get(table)?.key ?? [];
  const same = Object.keys(owner).concat(key);
  return [
    client
      .prepare(
        `INSERT INTO ${table} (${names.map(quoted).join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
      )
      .bind(...names.map((name) => values[name] ?? null)),
    client
      .prepare(
        `INSERT INTO guards (reason) SELECT 'taken' WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${same.map((name) => `${quoted(name)} IS ?`).join(' AND ')})`,
      )
      .bind(...same.map((name) => values[name] ?? null)),
  ];
}

const quoted = (name: string): string => `"${name}"`;
