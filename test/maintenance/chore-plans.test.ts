/** Every minute's chores look for what is due on a whole shard: by an index of what is due, not through all of a table. */
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { DIRECTORY_CHORES, SHARD_CHORES } from '../../src/maintenance/chores.ts';
import { choreContext } from '../support/runtime/runtime.ts';
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
  'a minute of the week has few tenants': /^SCAN due$|^SEARCH next USING INTEGER PRIMARY KEY /,
};
const isAllowed = (step: string) => Object.values(ALLOWED).some((allowed) => allowed.test(step));

// The class of a database is known by its objects alone.
const database: D1Database = Object.getPrototypeOf(env.DB);

/** Runs `work`, and returns the plan of each statement that it sends, under its text. */
async function plansOf(work: () => Promise<unknown>): Promise<Map<string, string[]>> {
  const { prepare } = database;
  const sent = new Map<string, D1Database>();
  const spy = vi.spyOn(database, 'prepare').mockImplementation(function (this: D1Database, sql) {
    sent.set(sql, this);
    return prepare.call(this, sql);
  });
  await work();
  spy.mockRestore();
  const plans = [...sent].map(async ([sql, at]) => {
    const values = Array.from(sql.matchAll(/\?/g), () => null);
    const explained = at.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values);
    const { results } = await explained.all<{ detail: string }>();
    return [sql, results.map(({ detail }) => detail)] as const;
  });
  return new Map(await Promise.all(plans));
}

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
