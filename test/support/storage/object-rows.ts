import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

/** Counts rows that Durable Objects of this runtime write. */
export interface ObjectRows {
  /** Returns how many rows statements with this table wrote; an alarm that is set is a row of the table `alarm`. */
  written(...tables: readonly string[]): number;
  /** Forgets what was counted. */
  reset(): void;
}

/** Begins to count; `vi.restoreAllMocks()` ends it. */
export async function countObjectRows(): Promise<ObjectRows> {
  let counted: { readonly statement: string; readonly rows: () => number }[] = [];
  await runInDurableObject(env.LOGIN_GUARD.getByName(crypto.randomUUID()), (_, { storage }) => {
    // All objects of a runtime share these prototypes.
    const [sqlMethods, methods] = [Object.getPrototypeOf(storage.sql), Object.getPrototypeOf(storage)];
    const { exec } = sqlMethods;
    vi.spyOn(sqlMethods, 'exec').mockImplementation(function (this: SqlStorage, statement, ...bound) {
      const cursor = exec.call(this, statement, ...bound);
      counted.push({ statement: String(statement), rows: () => cursor.rowsWritten });
      return cursor;
    });
    const { setAlarm } = methods;
    vi.spyOn(methods, 'setAlarm').mockImplementation(function (this: DurableObjectStorage, ...when) {
      counted.push({ statement: 'alarm', rows: () => 1 });
      return setAlarm.apply(this, when);
    });
  });
  return {
    written: (...tables) =>
      counted
        .filter(({ statement }) => tables.some((table) => new RegExp(`\\b${table}\\b`).test(statement)))
        .reduce((sum, { rows }) => sum + rows(), 0),
    reset: () => {
      counted = [];
    },
  };
}
