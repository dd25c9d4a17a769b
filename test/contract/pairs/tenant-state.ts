/** All that a database has of a tenant, without what differs from run to run. */
import { storeOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';

/** Tables that background work empties or fills, and responses that are kept. */
const LEFT_OUT =
  /^(idempotency_keys|list_changes|search_changes|relistings|call_hours|call_days|sales_hours|item_sales|coupon_guesses|checkout_usage)$/;

/** Columns of instants, random texts and positions. */
const VOLATILE =
  /(_at|_until|_from|position|sequence|clock|batch|digest|hash|request_id|sealed|password|secret|secret_tail|sold_recently)$|^at$/;

/** What differs from run to run, and what stands for it. */
const CHANCE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\b1[789]\d{11}\b/g, 'TIME'],
  [/\b([a-z]{2,4}|sandbox_pay|sandbox_ref|declined_pay)_[0-9A-Za-z]{14,}([.-][\w-]+)*/g, '$1_ID'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/(?<=")!?[0-9A-Za-z]{22}(?=")/g, 'RANDOM'],
  // Ids of products, customers and the like, in rows, in bodies and in messages.
  [/"(\w*[iI]d|resource)":("?)(?:[a-z]+:)?\d+\2/g, '"$1":ID'],
  [/"(hash|until)":(?:"[^"]*"|\d+)/g, '"$1":RANDOM'],
  [/"value":"\d+"/g, '"value":"ID"'],
  [/\[\d+(?:,\d+)*\]/g, '[IDS]'],
  [/\/\d+(?=["/?])/g, '/ID'],
  // An entry of the audit log tells what the request found; another one may have changed it since.
  [/"old":"[^"]*",?/g, ''],
];

/** Returns a text with names for what differs from run to run. */
export const withoutChance = (text: string, { slug }: Pick<World, 'slug'>): string =>
  CHANCE.reduce((left, [pattern, name]) => left.replace(pattern, name), text.replaceAll(slug, 'SLUG'));

/** Returns the tables with rows of tenants. */
async function tenantTables(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE '\\_cf%' ESCAPE '\\' AND c.name = 'tenant_id' ORDER BY m.name`,
    )
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !LEFT_OUT.test(name));
}

const isJson = (value: unknown): value is string => typeof value === 'string' && /^[{[]/.test(value);

/** Returns a row as text. */
function rowText(row: Readonly<Record<string, unknown>>, shop: World): string {
  const kept = Object.entries(row).filter(
    ([column, value]) => value !== null && column !== 'tenant_id' && !VOLATILE.test(column),
  );
  const parsed = kept.map(([column, value]) => [column, isJson(value) ? JSON.parse(value) : value]);
  return withoutChance(JSON.stringify(Object.fromEntries(parsed)), shop);
}

/** Returns all rows of a tenant as texts, sorted, with the names of their tables. */
export async function stateOf(shop: World): Promise<string[]> {
  const db = storeOf(shop);
  const tables = await tenantTables(db);
  const tenant = db
    .prepare('SELECT name, plan, status, currency, currencies, settings FROM tenants WHERE id = ?')
    .bind(shop.tenantId);
  const results = await db.batch<Record<string, unknown>>([
    ...tables.map((name) => db.prepare(`SELECT * FROM "${name}" WHERE tenant_id = ?`).bind(shop.tenantId)),
    tenant,
  ]);
  const texts = results.flatMap(({ results: rows }, n) =>
    rows.map((row) => `${tables[n] ?? 'tenants'} ${rowText(row, shop)}`),
  );
  return texts.sort();
}
