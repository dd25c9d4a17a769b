import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { migrateAll } from './migrations.ts';

const DATABASES = [env.DB, env.SEARCH_01];
const MAX_ATTEMPTS = 10;

const isEmpty = async (database: D1Database): Promise<boolean> =>
  (await database.prepare("SELECT 1 FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").first()) ===
  null;

/** Deletes what every binding stores. A database that is in use at this moment may survive one reset. */
async function resetAll(): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await reset();
    if ((await Promise.all(DATABASES.map(isEmpty))).every(Boolean)) return;
  }
  throw new Error(`The databases are not empty after ${MAX_ATTEMPTS} resets`);
}

/**
 * Empties every store, as a new deployment has them. Ids go on where they were, because the modules still hold
 * caches by tenant.
 */
export async function deleteEverything(): Promise<void> {
  const [automatic, sequences] = await env.DB.batch<{ name: string; last: number }>([
    env.DB.prepare('SELECT name, seq AS last FROM sqlite_sequence'),
    env.DB.prepare('SELECT name, value AS last FROM sequences'),
  ]);
  await resetAll();
  await migrateAll();
  const goOn = env.DB.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  const advance = env.DB.prepare('UPDATE sequences SET value = ?2 WHERE name = ?1');
  await env.DB.batch([
    ...(automatic?.results ?? []).map(({ name, last }) => goOn.bind(name, last)),
    ...(sequences?.results ?? []).map(({ name, last }) => advance.bind(name, last)),
    env.DB.prepare('SELECT 1'),
  ]);
}
