import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

/** Counts the rows that Durable Objects write. */
export interface ObjectRows {
  /**
   * Returns how many rows an object wrote; an alarm that is set is a row of the table `alarm`, a key one of `kv`. Only
   * those of one table, if one is named.
   */
  written(object: DurableObjectStub, table?: string): Promise<number>;
  /** Forgets what was counted. */
  reset(): void;
}

/** A statement, a key that was written, or an alarm that was set. */
interface Write {
  /** Whose it was: an object's storage, or the part of it that runs statements or has keys. */
  readonly by: unknown;
  readonly statement: string;
  readonly rows: () => number;
}

/** Begins to count; `vi.restoreAllMocks()` ends it. */
export async function countObjectRows(): Promise<ObjectRows> {
  let writes: Write[] = [];
  await runInDurableObject(env.LOGIN_GUARD.getByName(crypto.randomUUID()), (_, { storage }) => {
    // All objects of a runtime share these prototypes.
    const [sqlMethods, methods] = [Object.getPrototypeOf(storage.sql), Object.getPrototypeOf(storage)];
    const { exec } = sqlMethods;
    vi.spyOn(sqlMethods, 'exec').mockImplementation(function (this: SqlStorage, statement, ...bound) {
      const cursor = exec.call(this, statement, ...bound);
      writes.push({ by: this, statement: String(statement), rows: () => cursor.rowsWritten });
      return cursor;
    });
    const keys = Object.getPrototypeOf(storage.kv);
    for (const method of ['put', 'delete'] as const) {
      const original = keys[method];
      vi.spyOn(keys, method).mockImplementation(function (this: SyncKvStorage, ...entry) {
        writes.push({ by: this, statement: `kv ${method} ${entry[0]}`, rows: () => 1 });
        return original.apply(this, entry);
      });
    }
    const { setAlarm } = methods;
    vi.spyOn(methods, 'setAlarm').mockImplementation(function (this: DurableObjectStorage, ...when) {
      writes.push({ by: this, statement: 'alarm', rows: () => 1 });
      return setAlarm.apply(this, when);
    });
  });
  return {
    async written(object, table = '') {
      const storage = await runInDurableObject(object, (_, state) => state.storage);
      return writes
        .filter(({ by }) => by === storage || by === storage.sql || by === storage.kv)
        .filter(({ statement }) => new RegExp(`\\b${table}\\b`).test(statement))
        .reduce((sum, { rows }) => sum + rows(), 0);
    },
    reset() {
      writes = [];
    },
  };
}
