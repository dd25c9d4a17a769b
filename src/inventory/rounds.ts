import { log } from '../kernel/core/log.ts';
import { type Failed, fail, type Result } from '../kernel/core/result.ts';
import { violation } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { errorFields } from '../kernel/observe/error-fields.ts';

/** The outcomes of calls. */
export type Outcomes<Call, Value> = [Call, Result<Value>][];

/** How calls are committed together. */
interface Rounds<Call, Value> {
  readonly ctx: TenantDatabase;
  /** The calls that share a batch. */
  readonly rounds: readonly (readonly Call[])[];
  /** Reads, decides and commits in one batch. Throws what rolled the batch back. */
  readonly commit: (calls: readonly Call[]) => Promise<Outcomes<Call, Value>>;
  /** The most attempts at a single call under concurrent writes. */
  readonly maxAttempts: number;
  /** Returns the failure of a call that was rolled back in its last attempt. */
  readonly refusal: (call: Call, error: unknown) => Failed;
}

/** Commits calls in rounds, one after the other. Returns the outcomes in the order of the calls. */
export async function commitInRounds<Call, Value>(
  calls: readonly Call[],
  how: Rounds<Call, Value>,
): Promise<Result<Value>[]> {
  const outcomes = new Map<Call, Result<Value>>();
  for (const round of how.rounds)
    for (const [call, outcome] of await commitRound(round, how)) outcomes.set(call, outcome);
  return calls.map((call) => outcomes.get(call) ?? fail('conflict'));
}

/**
 * Commits calls in one batch. When that is rolled back, each half is decided and committed on its own: a CHECK, a guard
 * or a unique key failed because a concurrent write won.
 */
async function commitRound<Call, Value>(
  calls: readonly Call[],
  how: Rounds<Call, Value>,
  attempt = 1,
): Promise<Outcomes<Call, Value>> {
  try {
    return await how.commit(calls);
  } catch (error) {
    // Other calls of the group may be committed: their outcomes must not be lost with this one.
    if (!violation(error)) {
      const failed = failureOf(how.ctx, error);
      return calls.map((call) => [call, failed]);
    }
    if (calls.length === 1 && attempt >= how.maxAttempts)
      return calls.map((call) => [call, how.refusal(call, error)]);
    if (calls.length === 1) return commitRound(calls, how, attempt + 1);
    const half = Math.ceil(calls.length / 2);
    const first = await commitRound(calls.slice(0, half), how);
    return [...first, ...(await commitRound(calls.slice(half), how))];
  }
}

/** Returns and logs the failure of a write: `unavailable` in an outage of storage, else `internal_error`. */
export function failureOf({ tenantId }: TenantDatabase, error: unknown): Failed {
  const fields = errorFields(error);
  log('stock_not_written', { tenant: tenantId, ...fields });
  return fail(fields.storage ? 'unavailable' : 'internal_error');
}
