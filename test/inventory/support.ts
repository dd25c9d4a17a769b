import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { reserve, type StockDemand } from '../../src/inventory/index.ts';
import { database, rows } from '../../src/kernel/data/database.ts';
import { tenantContext } from '../../src/kernel/data/tenant-context.ts';
import type { World } from '../support/world.ts';

/** The main database. */
export const db = () => database(env);

/** Where the room tells of what it did. */
export const runtime = { env, ctx: createExecutionContext() };

/** Makes a product, simple and at 10 unless `body` says otherwise; answers it. */
export async function product(shop: World, body: object) {
  const made = await shop.post('/products', { type: 'simple', price: 10, ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

/** An item's stock as it is on disk. */
export async function stockOf(id: number) {
  const [row] = await rows<{ on_hand: number; reserved: number }>(
    db(),
    sql`SELECT on_hand, reserved FROM inventory_items WHERE id = ${id}`,
  );
  return row;
}

/** Reserves for a version of a cart, as a checkout does. */
export const hold = (shop: World, cartId: string, demands: StockDemand[], version = 1) =>
  reserve(tenantContext(runtime, shop.tenantId), { cartId, version, demands });
