/** Every minute's chores look for what is due on a whole shard: by an index of what is due, not through all of a table. */
import { expect, it } from 'vitest';
import { DIRECTORY_CHORES, SHARD_CHORES } from '../../src/maintenance/chores.ts';
import { choreContext } from '../support/runtime/runtime.ts';
import { plansOf } from '../support/storage/query-plans.ts';
import { world } from '../support/world.ts';

/** Steps of a plan that read all of a table, or all rows after a tenant's id. */
const WALK = /^SCAN (?!\(subquery|CONSTANT ROW)|\((rowid|tenant_id)>\?\)$/;

/** What may be walked, and why. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  'moves are few': /^SCAN (tenant_fences|tenant_moves)\b/,
  'categories that are being moved are few': /^SCAN relistings /,
  'the statement has a LIMIT': /^SCAN list_changes$/,
  'a directory apart from the shards has what is yet to be forwarded':
    /^SEARCH audit_log USING COVERING INDEX audit_log_tenant /,
  'a minute of the week has few tenants': /^SCAN seen$|^SEARCH next USING INTEGER PRIMARY KEY /,
};
const isAllowed = (step: string) => Object.values(ALLOWED).some((allowed) => allowed.test(step));

it.each([...Object.entries(SHARD_CHORES), ...Object.entries(DIRECTORY_CHORES)])(
  '%s finds what is due',
  async (_, chore) => {
    const context = await choreContext(await world());
    for (const [sql, plan] of await plansOf(() => chore(context, {}))) {
      expect(
        plan.filter((step) => WALK.test(step) && !isAllowed(step)),
        sql,
      ).toEqual([]);
    }
  },
);
