import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

/** Counts the rows that Durable Objects read and write. */
export interface ObjectRows {
  /**
   * Returns how many rows an object wrote; an alarm that is set is a row of the table `alarm`, a key one of `kv`. Only
   * those of one table, if one is named.
   */
  written(object: DurableObjectStub, table?: string): Promise<number>;
  /** Returns how many rows an object's statements read. */
  read(object: DurableObjectStub): Promise<number>;
  /** Forgets what was counted. */
  reset(): void;
}

/** A statement, a key that was written, or an alarm that was set. */
interface Call {
  /** Whose it was: an object's storage, or the part of it that runs statements or has keys. */
  readonly by: unknown;
  readonly statement: string;
  readonly rowsRead: () => number;
  readonly rowsWritten: () => number;
}

/** Begins to count; `vi.restoreAllMocks()` ends it. */
export async function countObjectRows(): Promise<ObjectRows> {
  let calls: Call[] = [];
  await runInDurableObject(env.LOGIN_GUARD.getByName(crypto.randomUUID()), (_, { storage }) => {
    // All objects of a runtime share these prototypes.
    const [sqlMethods, methods] = [Object.getPrototypeOf(storage.sql), Object.getPrototypeOf(storage)];
    const { exec } = sqlMethods;
    vi.spyOn(sqlMethods, 'exec').mockImplementation(function (this: SqlStorage, statement, ...bound) {
      const cursor = exec.call(this, statement, ...bound);
      calls.push({
        by: this,
        statement: String(statement),
        rowsRead: () => cursor.rowsRead,
        rowsWritten: () => cursor.rowsWritten,
      });
      return cursor;
    });
    const keys = Object.getPrototypeOf(storage.kv);
    for (const method of ['put', 'delete'] as const) {
      const original = keys[method];
      vi.spyOn(keys, method).mockImplementation(function (this: SyncKvStorage, ...entry) {
        calls.push({
          by: this,
          statement: `kv ${method} ${entry[0]}`,
          rowsRead: () => 0,
          rowsWritten: () => 1,
        });
        return original.apply(this, entry);
      });
    }
    const { setAlarm } = methods;
    vi.spyOn(methods, 'setAlarm').mockImplementation(function (this: DurableObjectStorage, ...when) {
      calls.push({ by: this, statement: 'alarm', rowsRead: () => 0, rowsWritten: () => 1 });
      return setAlarm.apply(this, when);
    });
  });
  const callsOf = async (object: DurableObjectStub) => {
    const storage = await runInDurableObject(object, (_, state) => state.storage);
    return calls.filter(({ by }) => by === storage || by === storage.sql || by === storage.kv);
  };
  return {
    async written(object, table = '') {
      return (await callsOf(object))
        .filter(({ statement }) => new RegExp(`\\b${table}\\b`).test(statement))
        .reduce((sum, { rowsWritten }) => sum + rowsWritten(), 0);
    },
    async read(object) {
      return (await callsOf(object)).reduce((sum, { rowsRead }) => sum + rowsRead(), 0);
    },
    reset() {
      calls = [];
    },
  };
}
