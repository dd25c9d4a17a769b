/**
 * Tells the work of a test from what earlier tests left to queues and alarms, for helpers that watch the whole runtime.
 * Tenants are known from `world()` and from calls with their tokens.
 */

/** The number of the test that used a tenant last, by its id; `null` for what hooks and `lazy` make for all tests. */
const lastUse = new Map<number, number | null>();
let test = 0;
let isRunning = false;
let sharing = 0;

/** Counts tenants from now on as those of a new test. */
export function beginTest(): void {
  test += 1;
  isRunning = true;
}

/** Counts tenants until the next test as those of all tests. */
export function endTest(): void {
  isRunning = false;
}

/** Runs `make`, and counts the tenants that it uses as those of all tests. */
export async function shareTenants<T>(make: () => Promise<T>): Promise<T> {
  sharing += 1;
  try {
    return await make();
  } finally {
    sharing -= 1;
  }
}

/** Notes that the running test uses a tenant. */
export function noteTenant(id: number): void {
  if (lastUse.get(id) !== null) lastUse.set(id, isRunning && sharing === 0 ? test : null);
}

/** Returns whether there are tenants' ids among the values, and each is of a tenant that the running test does not use. */
export function areOthers(values: readonly unknown[]): boolean {
  const uses = values.flatMap((value) => {
    const use = typeof value === 'number' ? lastUse.get(value) : undefined;
    return use === undefined ? [] : [use];
  });
  return uses.length > 0 && uses.every((use) => use !== null && use !== test);
}
