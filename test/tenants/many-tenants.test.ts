/** What grows with the number of tenants: the platform's list reads what it shows, and a chore what is due. */
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { MINUTE } from '../../src/kernel/core/clock.ts';
import { forgetWords } from '../../src/search/index.ts';
import { choreContext, storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { admin, type World, world } from '../support/world.ts';

const MANY = 500;
/** Of tenants that no test makes. */
const FIRST_ID = 1_508_050;
const WEEK_MINUTES = 7 * 24 * 60;

let shop: World;

/** Adds copies of a row, with ids from {@link FIRST_ID} on and slugs of their own. */
async function copyRow(db: D1Database, table: 'tenants' | 'placements', id: 'id' | 'tenant_id') {
  const { results } = await db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .bind(table)
    .all<{ name: string }>();
  const rest = results.map(({ name }) => name).filter((name) => name !== id && name !== 'slug');
  await db
    .prepare(
      `WITH RECURSIVE n (value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < ${MANY - 1})
       INSERT INTO ${table} (${id}, slug, ${rest}) SELECT ${FIRST_ID} + n.value, 'copy-' || n.value, ${rest}
       FROM ${table}, n WHERE ${id} = ?`,
    )
    .bind(shop.tenantId)
    .run();
}

const databases = () => [
  [storeOf(shop), 'tenants', 'id'] as const,
  [env.DB, 'placements', 'tenant_id'] as const,
];

beforeAll(async () => {
  shop = await world();
  for (const [db, table, id] of databases()) await copyRow(db, table, id);
});

afterAll(async () => {
  for (const [db, table, id] of databases())
    await db
      .prepare(`DELETE FROM ${table} WHERE ${id} BETWEEN ? AND ?`)
      .bind(FIRST_ID, FIRST_ID + MANY)
      .run();
});

it.each(['', '&page=100'])(
  'lists a page of tenants%s without reading more of the others than to count them',
  async (page) => {
    let total = 0;
    const usage = await measureDatabase(async () => {
      const { body } = await admin('GET', `/tenants?limit=2${page}`);
      total = body.meta.total;
    });
    expect(total).toBeGreaterThan(MANY);
    // Those before a far page are passed over.
    expect(usage.read).toBeLessThan(total + (page === '' ? 20 : 220));
  },
);

it('finds the tenants whose words are deleted in a minute without reading the others', async () => {
  const send = vi.spyOn(env.SEARCH_QUEUE, 'send').mockReset();
  const minuteOf = (id: number) => Math.floor(id / 100) % WEEK_MINUTES;
  const minute = minuteOf(FIRST_ID + 150);
  vi.spyOn(Date, 'now').mockReturnValue((WEEK_MINUTES * 2_000 + minute) * MINUTE);
  const context = await choreContext(shop);
  const usage = await measureDatabase(() => forgetWords(context, {}));
  const ids = send.mock.calls.map(([message]) => Number(Reflect.get(Object(message), 'tenantId')));
  vi.restoreAllMocks();
  expect(ids).toEqual(expect.arrayContaining(Array.from({ length: 100 }, (_, n) => FIRST_ID + 150 + n)));
  expect(ids.every((id) => minuteOf(id) === minute)).toBe(true);
  // Each after the one before, and one of other tenants in each twelve days of ids: the clock of the tests moves for years.
  expect(usage.read).toBeLessThan(2 * ids.length + 200);
});
