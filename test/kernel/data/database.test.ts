import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import {
  assertInBatch,
  batch,
  directory,
  guardFailed,
  isOutage,
  run,
  violation,
} from '../../../src/kernel/data/database.ts';

const db = directory(env);

/** What a batch is refused with. */
async function refusal(...statements: Parameters<typeof batch>[1][number][]): Promise<unknown> {
  try {
    await batch(db, statements);
  } catch (error) {
    return error;
  }
  throw new Error('was not refused');
}

it.each([
  'D1_ERROR: Network connection lost.',
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  'Durable Object reset because its code was updated.',
  'internal error; reference = 0123abcd',
])('treats "%s" as an outage', (message) => {
  const cause = new Error(message.replace('D1_ERROR: ', ''));
  expect(isOutage(new Error(message))).toBe(true);
  expect(isOutage(new Error('Failed query: select 1', { cause: new Error(message, { cause }) }))).toBe(true);
  expect(isOutage(Object.assign(new Error('anything'), { retryable: true }))).toBe(true);
  expect(isOutage(Object.assign(new Error('anything'), { durableObjectReset: true }))).toBe(true);
});

it('treats our own errors as errors', async () => {
  expect(isOutage(new TypeError("Cannot read properties of undefined (reading 'id')"))).toBe(false);
  expect(isOutage(await refusal(run(db, sql`SELEC 1`)))).toBe(false);
  expect(isOutage(await refusal(run(db, sql`INSERT INTO nothing VALUES (1)`)))).toBe(false);
  expect(isOutage(await refusal(run(db, sql`INSERT INTO themes (tenant_id) VALUES (1)`)))).toBe(false);
  expect(isOutage('text')).toBe(false);
});

it('rolls back the whole batch if a condition fails', async () => {
  const slug = `g${crypto.randomUUID().slice(0, 12)}`;
  const insert = run(
    db,
    sql`INSERT INTO tenants (slug, name, currency, currencies, plan, status, settings, created_at, updated_at)
      VALUES (${slug}, 'x', 'EUR', '["EUR"]', 'starter', 'active', '{}', 0, 0)`,
  );
  const error = await refusal(insert, assertInBatch(db, sql`1 = 2`));
  expect([guardFailed(error), violation(error)]).toEqual([true, { kind: 'check', name: 'guard_holds' }]);
  expect((await env.DB.prepare('SELECT * FROM tenants WHERE slug = ?').bind(slug).all()).results).toEqual([]);
  await batch(db, [insert, assertInBatch(db, sql`1 = 1`)]);
  const twice = await refusal(insert);
  expect([guardFailed(twice), violation(twice)]).toEqual([false, { kind: 'unique', name: 'tenants.slug' }]);
  // Tests that list all tenants expect whole ones.
  await env.DB.prepare('DELETE FROM tenants WHERE slug = ?').bind(slug).run();
});
