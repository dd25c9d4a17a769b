import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SERVICE } from '../../scripts/build/bundle.ts';
import { migrate } from '../../scripts/dev/server.ts';
import { furtherDatabases, service } from '../worker.ts';
import type { DatabaseFiles } from './filling.ts';

/** The files of further databases by their bindings. Miniflare names files after hashes. */
type Named = Readonly<Record<string, string>>;

const listOf = (folder: string): string => join(folder, 'shards.json');

const named = (folder: string): Named =>
  existsSync(listOf(folder)) ? JSON.parse(readFileSync(listOf(folder), 'utf8')) : {};

/** Returns the database files in a folder, relative to it. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(folder, 'v3/d1'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sqlite'))
    .map((name) => join('v3/d1', name));

/** Creates the empty databases of a deployment with this many shards. */
export async function createDatabases(folder: string, shards: number): Promise<void> {
  await migrate(folder);
  if (shards === 1) return;
  const { main, search } = databaseFiles(folder);
  const files: Record<string, string> = {};
  const worker = await service(folder, { shards });
  try {
    for (const binding of furtherDatabases(shards)) {
      const before = filesIn(folder);
      // A database gets its file with its first query.
      const database = await worker.miniflare.getD1Database(binding, SERVICE.worker);
      await database.prepare('SELECT 1').first();
      files[binding] = filesIn(folder).find((file) => !before.includes(file)) ?? '';
    }
  } finally {
    await worker.stop();
  }
  for (const [binding, file] of Object.entries(files)) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `${file}${suffix}`), { force: true });
    using empty = new DatabaseSync(binding.startsWith('SHARD') ? main : search);
    empty.prepare('VACUUM INTO ?').run(join(folder, file));
  }
  writeFileSync(listOf(folder), JSON.stringify(files));
}

/** Returns the files of the databases with the rows and the search index of a shard's tenants. */
export function databaseFiles(folder: string, shard = 'SHARD_01'): DatabaseFiles {
  const further = named(folder);
  const { [shard]: main, [shard.replace('SHARD', 'SEARCH')]: search } = further;
  if (main && search) return { main: join(folder, main), search: join(folder, search) };
  const first = filesIn(folder).filter((file) => !Object.values(further).includes(file));
  const withTable = (table: string): string => {
    const found = first.map((file) => join(folder, file)).find((file) => hasTable(file, table));
    if (!found) throw new Error(`No database in ${folder} has the table ${table}.`);
    return found;
  };
  return { main: withTable('products'), search: withTable('search_documents') };
}

function hasTable(file: string, table: string): boolean {
  using database = new DatabaseSync(file);
  return database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined;
}

/** Returns the shard that the directory names for a tenant. No Worker may have the folder open. */
export function shardOf(folder: string, tenantId: number): string {
  using directory = new DatabaseSync(databaseFiles(folder).main);
  const placed = directory.prepare('SELECT shard FROM placements WHERE tenant_id = ?').get(tenantId);
  return String(placed?.shard);
}
