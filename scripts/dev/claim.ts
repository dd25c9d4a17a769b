import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What SQLite calls a file that another process has locked. */
const SQLITE_BUSY = 5;

/** Holds the locks of this process: a collected one would be open. */
const claims: DatabaseSync[] = [];

/**
 * Keeps a folder for this process until it ends, in whatever way. Throws if another process keeps it: of two servers
 * with the same databases each fails while the other writes.
 */
export function claim(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, 'dev.lock'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error;
    throw new Error(
      `Another npm run dev uses the data in ${folder}. Stop it, or choose another folder: npm run dev -- --persist-to DIR`,
    );
  }
  claims.push(lock);
}
