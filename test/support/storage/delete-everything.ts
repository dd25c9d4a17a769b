import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { FIRST_EU_TENANT_ID } from '../../../src/kernel/data/jurisdiction.ts';
import { mainDatabases, searchDatabases } from '../../../src/kernel/shards/shard-names.ts';
import { TEST_FLUSH_INTERVAL_MS } from '../runtime/request-log.ts';
import { migrateAll } from './migrations.ts';

const MAIN = mainDatabases(env).map((name): D1Database => Reflect.get(env, name));
const DATABASES = [...MAIN, ...searchDatabases(env).map((name): D1Database => Reflect.get(env, name))];
const MAX_ATTEMPTS = 10;

const isEmpty = async (database: D1Database): Promise<boolean> =>
  (await database.prepare("SELECT 1 FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").first()) ===
  null;

const areImagesEmpty = async (): Promise<boolean> =>
  (await env.MEDIA.list({ limit: 1 })).objects.length === 0;

/** Deletes what every binding stores. A store that is in use at this moment may survive one reset. */
async function resetAll(): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await reset();
    if ((await Promise.all([...DATABASES.map(isEmpty), areImagesEmpty()])).every(Boolean)) return;
  }
  throw new Error(`The stores are not empty after ${MAX_ATTEMPTS} resets`);
}

/** The ids of tenants without and with a jurisdiction: the first of each range, and the last that this runtime gave. */
const tenantIds = [1, FIRST_EU_TENANT_ID].map((first) => ({ first, last: first - 1 }));
/** The slugs of the tenants before the last reset: one that is imported again keeps its id. */
let formerSlugs: readonly string[] = [];

/**
 * Empties every store, as a new deployment has them. Ids go on where they were, because the modules still hold caches
 * by them, and a call that is under way makes the objects of its tenant anew.
 */
export async function deleteEverything(): Promise<void> {
  const goOn = await Promise.all(MAIN.map(idsOf));
  await noteTenantIds();
  // The request log of the last calls, a busy application's after five intervals, would be written after the reset.
  await scheduler.wait(6 * TEST_FLUSH_INTERVAL_MS);
  await resetAll();
  await migrateAll();
  for (const restore of goOn) await restore();
  await goOnWithTenantIds();
}

async function noteTenantIds(): Promise<void> {
  const { results } = await env.DB.prepare('SELECT slug FROM placements').all<{ slug: string }>();
  formerSlugs = results.map(({ slug }) => slug);
  const query = env.DB.prepare(
    'SELECT max(tenant_id) AS last FROM placements WHERE tenant_id BETWEEN ? AND ?',
  );
  for (const range of tenantIds) {
    const found = await query.bind(range.first, range.first + FIRST_EU_TENANT_ID - 2).first<number>('last');
    range.last = Math.max(range.last, found ?? 0);
  }
}

/**
 * A tenant's id is the largest one plus 1, at least the second of its creation. This runtime may have given more than
 * one in a second: the first one, if it was given before, is replaced by the next of this runtime.
 */
async function goOnWithTenantIds(): Promise<void> {
  for (const { first, last } of tenantIds) {
    if (last < first) continue;
    const move = `UPDATE placements SET tenant_id = ${last + 1} WHERE tenant_id = new.tenant_id;`;
    await env.DB.prepare(
      `CREATE TRIGGER tenant_ids_${first} AFTER INSERT ON placements WHEN new.tenant_id BETWEEN ${first} AND ${last}
       AND new.slug NOT IN (SELECT value FROM json_each('${JSON.stringify(formerSlugs)}'))
       AND NOT EXISTS (SELECT 1 FROM placements WHERE tenant_id BETWEEN ${last + 1} AND ${first + FIRST_EU_TENANT_ID - 2}) BEGIN ${move} END`,
    ).run();
  }
}

/** Reads the last ids of a database. Returns what writes them again. */
async function idsOf(db: D1Database): Promise<() => Promise<unknown>> {
  const [automatic, sequences] = await db.batch<{ name: string; last: number }>([
    db.prepare('SELECT name, seq AS last FROM sqlite_sequence'),
    db.prepare('SELECT name, value AS last FROM sequences'),
  ]);
  // Migrations begin some of them at 0. SQLite goes on from the first row of a name.
  const begun = db.prepare('DELETE FROM sqlite_sequence WHERE name = ?');
  const goOn = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  const advance = db.prepare('UPDATE sequences SET value = ?2 WHERE name = ?1');
  return () =>
    db.batch([
      ...(automatic?.results ?? []).flatMap(({ name, last }) => [begun.bind(name), goOn.bind(name, last)]),
      ...(sequences?.results ?? []).map(({ name, last }) => advance.bind(name, last)),
      db.prepare('SELECT 1'),
    ]);
}
