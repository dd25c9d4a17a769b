import { beforeAll, expect, it } from 'vitest';
import { type World, world } from '../support/world.ts';

/** Shipping methods in a tenant's settings. */

let shop: World;
beforeAll(async () => {
  shop = await world({ currencies: ['EUR', 'JPY'], settings: { shipping: { flat: 5 } } });
});

const method = { id: 'express', name: 'Express', price: 9 };
const tiered = (...tiers: object[]) => ({ id: 'express', name: 'Express', tiers });

it('keeps methods as they were given, active unless they say otherwise, and needs no flat rate beside them', async () => {
  const own = await world({ currencies: ['EUR', 'JPY'] });
  const methods = [
    {
      ...method,
      description: null,
      countries: ['DE', 'AT'],
      free_over: { EUR: 50 },
      min_days: 1,
      max_days: 1,
    },
    {
      ...tiered({ from_subtotal: 0, price: 5 }, { from_subtotal: { EUR: 20, JPY: 900 }, price: 4.5 }),
      id: 'parcel',
    },
    {
      ...tiered({ from_weight: 0, price: { EUR: 3 } }),
      id: 'light_2',
      active: false,
      min_days: 2,
      max_days: null,
    },
  ];
  const changed = await own.patch('/settings', { shipping: { methods } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const kept = methods.map((one) => ({ active: true, ...one }));
  expect(changed.body.shipping).toEqual({ flat: 0, methods: kept });
  expect((await own.get('/settings')).body.shipping).toEqual({ flat: 0, methods: kept });
  expect((await own.patch('/settings', { shipping: { flat: 3 } })).body.shipping).toEqual({ flat: 3 });
});

it.each([
  [[{ ...method, id: 'Express' }], 'methods.0.id'],
  [[{ ...method, id: 'x'.repeat(65) }], 'methods.0.id'],
  [[{ ...method, id: '' }], 'methods.0.id'],
  [[method, method], 'methods.1.id'],
  [[{ ...method, name: ' ' }], 'methods.0.name'],
  [[method, { ...method, id: 'other', name: '\u200b' }], 'methods.1.name'],
  [[{ ...method, description: 'x'.repeat(501) }], 'methods.0.description'],
  [[{ ...method, countries: ['XX'] }], 'methods.0.countries.0'],
  [[{ ...method, countries: [] }], 'methods.0.countries'],
  [[{ ...method, price: -1 }], 'methods.0.price'],
  [[{ ...method, price: 1.999 }], 'methods.0.price'],
  [[{ ...method, price: { USD: 1 } }], 'methods.0.price'],
  [[{ ...method, price: { EUR: 1, JPY: 1.5 } }], 'methods.0.price'],
  [[{ id: 'express', name: 'Express' }], 'methods.0.price'],
  [[{ ...method, ...tiered({ from_weight: 0, price: 1 }) }], 'methods.0.price'],
  [[tiered()], 'methods.0.tiers'],
  [[tiered({ price: 1 })], 'methods.0.tiers.0.from_subtotal'],
  [[tiered({ from_weight: 1, price: 1 })], 'methods.0.tiers.0.from_weight'],
  [[tiered({ from_subtotal: { EUR: 0, JPY: 1 }, price: 1 })], 'methods.0.tiers.0.from_subtotal'],
  [[tiered({ from_weight: 0, price: 1 }, { from_weight: 0, price: 1 })], 'methods.0.tiers.1.from_weight'],
  [[tiered({ from_weight: 0, price: 1 }, { from_subtotal: 5, price: 1 })], 'methods.0.tiers.1.from_subtotal'],
  [[tiered({ from_weight: 0, from_subtotal: 0, price: 1 })], 'methods.0.tiers.0.from_subtotal'],
  [[tiered({ from_weight: 0.5, price: 1 })], 'methods.0.tiers.0.from_weight'],
  [[tiered({ from_weight: 0, price: 0.001 })], 'methods.0.tiers.0.price'],
  [
    [
      tiered(
        { from_subtotal: 0, price: 1 },
        { from_subtotal: { EUR: 10, JPY: 900 }, price: 1 },
        { from_subtotal: { EUR: 20, JPY: 800 }, price: 1 },
      ),
    ],
    'methods.0.tiers.2.from_subtotal',
  ],
  [[{ ...method, free_over: 0.001 }], 'methods.0.free_over'],
  [[{ ...method, min_days: 3, max_days: 2 }], 'methods.0.max_days'],
  [[{ ...method, min_days: 1.5 }], 'methods.0.min_days'],
  [[{ ...method, max_days: 366 }], 'methods.0.max_days'],
  [[{ ...method, active: 'yes' }], 'methods.0.active'],
  [[{ ...method, carrier: 'DHL' }], 'methods.0.carrier'],
  [Array.from({ length: 21 }, (_, n) => ({ ...method, id: `m-${n}` })), 'methods'],
  ['express', 'methods'],
])('refuses methods %j', async (methods, field) => {
  const before = (await shop.get('/settings')).body;
  const refused = await shop.patch('/settings', { shipping: { flat: 5, methods } });
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [`shipping.${field}`]]);
  expect((await shop.get('/settings')).body).toEqual(before);
});

it('refuses settings with neither methods nor a flat rate, and methods of more than 32 KiB', async () => {
  for (const shipping of [{}, { methods: [] }, { free_over: 5 }]) {
    const refused = await shop.patch('/settings', { shipping });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['shipping.flat']]);
  }
  const long = { ...method, description: '🚚'.repeat(500) };
  const methods = Array.from({ length: 20 }, (_, n) => ({ ...long, id: `m-${n}` }));
  const refused = await shop.patch('/settings', { shipping: { methods } });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['shipping.methods']]);
});

it("shows a tenant's methods to itself alone", async () => {
  const other = await world();
  await shop.patch('/settings', { shipping: { methods: [method] } });
  expect((await other.get('/settings')).body.shipping).toEqual({ flat: 0 });
  await shop.patch('/settings', { shipping: { flat: 5 } });
});
