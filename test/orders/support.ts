import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { reserve } from '../../src/inventory/index.ts';
import { id } from '../../src/kernel/crypto/crypto.ts';
import { database, rows } from '../../src/kernel/data/database.ts';
import { type Runtime, tenantContext } from '../../src/kernel/data/tenant-context.ts';
import { type Placement, placeOrder } from '../../src/orders/index.ts';
import type { World } from '../support/world.ts';

export const db = () => database(env);
export const runtime: Runtime = { env, ctx: createExecutionContext() };

/** Makes a product; answers its id. */
export async function product(shop: World, body: object): Promise<number> {
  const made = await shop.post('/products', { type: 'simple', price: 10, ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

/** What is on hand and reserved of an item. */
export async function stockOf(item: number) {
  const [row] = await rows<{ on_hand: number; reserved: number }>(
    db(),
    sql`SELECT on_hand, reserved FROM inventory_items WHERE id = ${item}`,
  );
  return row;
}

/** The tenant's events of one kind, in their order. */
export async function events(shop: World, type: string) {
  const found = await rows<{ data: string }>(
    db(),
    sql`SELECT data FROM outbox WHERE tenant_id = ${shop.tenantId} AND type = ${type} ORDER BY sequence`,
  );
  return found.map(({ data }) => JSON.parse(data));
}

let carts = 0;

/** Reserves and places an order of one product, as checkout does after its page. */
export async function order(
  shop: World,
  productId: number,
  more: Partial<Placement> & { quantity?: number; cartId?: string } = {},
) {
  carts += 1;
  const { quantity = 1, cartId = `cart-${carts}`, ...placement } = more;
  const demands = [{ itemId: productId, quantity }];
  const held = await reserve(tenantContext(runtime, shop.tenantId), { cartId, version: 1, demands });
  if (!held.ok) return held;
  const unitPrice = 1000;
  const subtotal = unitPrice * quantity;
  return placeOrder(tenantContext(runtime, shop.tenantId), {
    orderId: id('ord'),
    provider: 'sandbox',
    test: true,
    origin: 'https://api.example.com',
    reservation: held.value,
    currency: 'EUR',
    lines: [
      {
        id: 1,
        productId,
        variantId: null,
        sku: 'cup',
        name: 'Cup',
        options: { engraving: 'Ada' },
        quantity,
        unitPrice,
        subtotal,
        discount: 0,
        tax: 0,
        links: [],
      },
    ],
    totals: { subtotal, discount: 0, shipping: 0, tax: 0, grandTotal: subtotal, taxIncluded: false },
    coupon: null,
    customer: { customerId: null, name: 'Ada Lovelace', email: 'Ada@Example.com', phone: null },
    shippingAddress: { country: 'DE', city: 'Berlin' },
    expiresAt: Date.now() + 1_800_000,
    opensPayment: true,
    statements: [],
    ...placement,
  });
}

/** The same, where it must go well. */
export async function placed(...args: Parameters<typeof order>) {
  const made = await order(...args);
  if (!made.ok) throw new Error(`not placed: ${made.failure.code}`);
  return made.value;
}
