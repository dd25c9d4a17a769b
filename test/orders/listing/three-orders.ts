import { expect } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { type World, world } from '../../support/world.ts';

interface Person {
  readonly name: string;
  readonly email: string;
  readonly sku?: string;
  readonly customerId?: number;
}

/** Places an order for each person; returns their ids, in this order. */
export async function sell(shop: World, people: readonly Person[]): Promise<string[]> {
  const { id: cup } = (await createProduct(shop, { name: `Cup ${crypto.randomUUID()}`, stock: 99 })).body;
  const placed = [];
  for (const { sku = 'CUP-1', ...person } of people) {
    const customer = { customerId: null, phone: null, ...person };
    placed.push(await placedOrder(shop, cup, { customer, lines: [{ sku }] }));
  }
  return placed.map(({ row }) => row.id);
}

export const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', sku: 'CUP-RED' };

const ZOE = { name: 'Zoë Müller-Lüdenscheidt', email: 'Zoe.M@shop.example.org', sku: 'MUG-BLUE' };

const BOB = { name: 'Bob Lovelace', email: 'bob@example.com', sku: 'MUG-RED' };

/** A shop with an order of each of the three. */
export async function threeOrders() {
  const shop = await world();
  const ids = await sell(shop, [ADA, ZOE, BOB]);
  const names = new Map(ids.map((id, n) => [id, ['ada', 'zoe', 'bob'][n]]));
  const found = async (query: string) => {
    const { status, body } = await shop.get(`/orders?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ id }: { id: string }) => names.get(id)).sort();
  };
  return { shop, ids, found };
}
