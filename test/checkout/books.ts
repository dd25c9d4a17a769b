/** What the database holds of orders and stock, for tests that let things fail. */
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { checkoutPort } from '../../src/cart/index.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { database, rows } from '../../src/kernel/data/database.ts';
import type { World } from '../support/world.ts';
import { cron, stockOf } from './shop.ts';

/** What has become of a cart, each list sorted. */
export interface Outcome {
  /** How its orders stand. */
  readonly orders: string[];
  /** The reservations that keep or have sold stock. */
  readonly reservations: string[];
  readonly payments: string[];
  /** The events of its orders. */
  readonly events: string[];
  /** The order that the cart is locked by, as the cart knows it. */
  readonly cart: string | null;
}

/** Nothing was ordered, nothing is kept. */
export const NOTHING: Outcome = { orders: [], reservations: [], payments: [], events: [], cart: null };
/** Ordered once, paid once. */
export const SOLD: Outcome = {
  orders: ['paid'],
  reservations: ['consumed'],
  payments: ['paid'],
  events: ['order.created', 'order.paid'],
  cart: 'paid',
};
/** Ordered once, never paid, given up once. */
export const GIVEN_UP: Outcome = {
  ...NOTHING,
  orders: ['cancelled'],
  payments: ['void'],
  events: ['order.cancelled', 'order.created'],
};
/** Ordered once, its payment declined, given up once. */
export const DECLINED: Outcome = { ...GIVEN_UP, payments: ['failed'] };
/** Ordered, paid and refunded, once each. */
export const REFUNDED: Outcome = {
  ...NOTHING,
  orders: ['cancelled'],
  payments: ['refunded'],
  events: ['order.cancelled', 'order.created', 'order.paid'],
};

/** What has become of a cart. */
export async function outcomeOf(shop: World, cartId: string): Promise<Outcome> {
  const { tenantId } = shop;
  const mine = sql`SELECT id FROM orders WHERE tenant_id = ${tenantId} AND cart_id = ${cartId}`;
  const list = async (query: ReturnType<typeof sql>) =>
    (await rows<{ value: string }>(database(env), query)).map(({ value }) => value);
  const [orders, reservations, payments, events, standing] = await Promise.all([
    list(sql`SELECT status AS value FROM orders WHERE id IN (${mine}) ORDER BY 1`),
    list(sql`SELECT status AS value FROM reservations WHERE tenant_id = ${tenantId} AND cart_id = ${cartId}
      AND status <> 'released' ORDER BY 1`),
    list(sql`SELECT state AS value FROM payments WHERE tenant_id = ${tenantId} AND order_id IN (${mine})
      ORDER BY 1`),
    list(sql`SELECT type AS value FROM outbox WHERE tenant_id = ${tenantId}
      AND resource IN (SELECT 'order:' || id FROM (${mine})) ORDER BY 1`),
    checkoutPort({ env, tenantId }, cartId).standing(),
  ]);
  if (!standing.ok) throw new Error(`The cart is gone: ${standing.failure.code}`);
  return { orders, reservations, payments, events, cart: standing.value.order?.state ?? null };
}

/** Lets the clock and the minute's cron run until everything has come to its end. */
export async function settle(): Promise<void> {
  moveClock(70 * 60_000);
  for (let minute = 0; minute < 6; minute++) {
    await cron();
    moveClock(60_000);
  }
}

/**
 * Asserts that an item's stock adds up: what is on hand is what came in less what was sold, nothing is
 * reserved, each movement begins where the last one ended, each told of once, and the queues know it all.
 */
export async function expectStock(shop: World, item: number, started: number, sold: number): Promise<void> {
  expect(await stockOf(item)).toEqual({ on_hand: started - sold, reserved: 0 });
  const { tenantId } = shop;
  const moved = await rows<{ old_stock: number; new_stock: number; reason: string }>(
    database(env),
    sql`SELECT old_stock, new_stock, reason FROM stock_movements WHERE tenant_id = ${tenantId}
      AND item_id = ${item} ORDER BY id`,
  );
  const breaks = moved.filter(({ old_stock }, n) => old_stock !== (moved[n - 1]?.new_stock ?? started));
  expect(breaks).toEqual([]);
  expect(moved.at(-1)?.new_stock).toBe(started - sold);
  const told = await rows<{ old_stock: number; new_stock: number }>(
    database(env),
    sql`SELECT data ->> 'old_stock' AS old_stock, data ->> 'new_stock' AS new_stock FROM outbox
      WHERE tenant_id = ${tenantId} AND type = 'stock.changed' AND resource = ${`item:${item}`}
      ORDER BY sequence`,
  );
  const changes = moved.filter(({ old_stock, new_stock }) => old_stock !== new_stock);
  expect(told).toEqual(changes.map(({ old_stock, new_stock }) => ({ old_stock, new_stock })));
  const [left] = await rows<{ untold: number; unnoticed: number }>(
    database(env),
    sql`SELECT (SELECT count(*) FROM outbox WHERE tenant_id = ${tenantId} AND relayed_at IS NULL) AS untold,
      (SELECT count(*) FROM orders WHERE tenant_id = ${tenantId} AND cart_notice IS NOT NULL) AS unnoticed`,
  );
  expect(left).toEqual({ untold: 0, unnoticed: 0 });
}

/** Asserts that a tenant's orders are numbered from 1001 on without gaps. */
export async function expectNumbers(shop: World): Promise<void> {
  const numbers = await rows<{ number: number }>(
    database(env),
    sql`SELECT number FROM orders WHERE tenant_id = ${shop.tenantId} ORDER BY number`,
  );
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, n) => 1001 + n));
}
