/** Moves of tenants between shards, step by step. */
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { advanceMove } from '../../../src/moves/advance-move.ts';
import { conditionOf, MOVED_TABLES, type MovedTable } from '../../../src/moves/copy/moved-tables.ts';
import { runtime } from '../runtime/runtime.ts';
import { admin, type World } from '../world.ts';
import { placedOn } from './rows.ts';

/** No move of a test takes more steps. */
const MAX_STEPS = 200;

/** Returns the shard on which a tenant is not, of two. */
export const otherShard = async (shop: World): Promise<string> =>
  (await placedOn(shop)) === 'SHARD_01' ? 'SHARD_02' : 'SHARD_01';

/** Starts the move of a tenant to the other shard. Returns its id. */
export async function startMove(shop: World): Promise<string> {
  const { status, body } = await admin('POST', `/tenants/${shop.slug}/moves`, {
    shard: await otherShard(shop),
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

/** Returns a move as the API shows it. */
export const shownMove = async (shop: World, id: string) =>
  (await admin('GET', `/tenants/${shop.slug}/moves/${id}`)).body;

/** Takes a move further until it waits or is over; `between` runs after each step. Returns the move. */
export async function runMove(
  shop: World,
  id: string,
  { bindings = env, between }: { bindings?: Env; between?: (state: string) => Promise<unknown> } = {},
) {
  for (let step = 0; step < MAX_STEPS; step++) {
    const goesOn = await advanceMove({ ...runtime, env: bindings }, id);
    const move = await shownMove(shop, id);
    if (!goesOn) return move;
    await between?.(move.state);
  }
  throw new Error('The move has no end');
}

/** Returns the database of a shard. */
export const shardNamed = (name: string): D1Database => Reflect.get(env, name);

/** Returns a row as text. Any call of a token may write when it was last used. */
const textOf = (row: unknown): string =>
  JSON.stringify(row, (column, value) => (column === 'last_used_at' ? null : value));

/** Returns all rows of a tenant on a shard, by table, in the order of their text, but for when a token was last used. */
export async function rowsOn(shop: World, name: string): Promise<Record<string, string[]>> {
  const db = shardNamed(name);
  const read = (table: MovedTable) =>
    db.prepare(`SELECT * FROM ${table.name} WHERE ${conditionOf(table)}`).bind(shop.tenantId);
  const results = await db.batch(MOVED_TABLES.map(read));
  return Object.fromEntries(
    MOVED_TABLES.map((table, n) => [
      `${table.name} ${table.where ?? ''}`.trim(),
      (results[n]?.results ?? []).map(textOf).sort(),
    ]),
  );
}
