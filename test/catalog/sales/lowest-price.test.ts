import { afterEach, describe, expect, it, vi } from 'vitest';
import { DAY, now } from '../../../src/kernel/core/clock.ts';
import { createProduct, patchProduct } from '../../support/fixtures/catalog/products.ts';
import { instant, ringSales, seeingNow, stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { world } from '../../support/world.ts';

afterEach(() => vi.restoreAllMocks());

describe('the lowest price of 30 days', () => {
  /** Applies patches at days after the creation at 80; returns what details and list show last. */
  async function after(...patches: readonly [day: number, patch: object][]) {
    const shop = await world();
    const created = now();
    const cup = await createProduct(shop, { price: 80 });
    for (const [day, patch] of patches) {
      stopClockAt(created + day * DAY);
      await patchProduct(shop, cup, patch);
    }
    const seeing = await seeingNow(shop);
    const details = await shop.get(`/products/${cup.body.id}`, seeing);
    const list = await shop.get('/products', seeing);
    expect(list.body.data[0].lowest_price_30d).toBe(details.body.lowest_price_30d);
    return details.body.lowest_price_30d;
  }
  const sale = { sale: { price: 90 } };

  const cases: [name: string, patches: [day: number, patch: object][], lowest: number | undefined][] = [
    [
      '80 → 100 → 90 within the window',
      [
        [10, { price: 100 }],
        [20, sale],
      ],
      80,
    ],
    [
      '80 → 100 → 90 when 80 is older than the window',
      [
        [10, { price: 100 }],
        [41, sale],
      ],
      100,
    ],
    [
      '80 → 100 → 90 when 80 ended within it, by a day',
      [
        [10, { price: 100 }],
        [39, sale],
      ],
      80,
    ],
    [
      '80 → 100 → 120 on one day',
      [
        [10, { price: 100 }],
        [10, { price: 120 }],
        [20, sale],
      ],
      80,
    ],
    [
      'a regular price above the price',
      [
        [10, { price: 100 }],
        [50, { price: 90, regular_price: 100 }],
      ],
      100,
    ],
    [
      'further reductions',
      [
        [10, { price: 100 }],
        [41, sale],
        [60, { sale: { price: 85 } }],
      ],
      100,
    ],
    [
      'a reduction after another',
      [
        [1, { price: 100 }],
        [40, sale],
        [50, { sale: null }],
        [60, sale],
      ],
      90,
    ],
    [
      'a regular price that is set later than the price below it',
      [
        [10, { price: 50 }],
        [20, { regular_price: 100 }],
      ],
      50,
    ],
    ['a regular price above a price that stays', [[50, { regular_price: 100 }]], 80],
    ['no reduction', [[10, { price: 100 }]], undefined],
  ];
  it.each(cases)('is right for %s', async (_, patches, lowest) => {
    expect(await after(...patches)).toBe(lowest);
  });

  it('is that before the beginning, however long the sale runs, and gone at its end', async () => {
    const shop = await world();
    const start = now() + DAY;
    const cup = await createProduct(shop, {
      price: 100,
      sale: { price: 60, starts_at: instant(start), ends_at: instant(start + 90 * DAY) },
    });
    const lowest = async () =>
      (await shop.get(`/products/${cup.body.id}`, await seeingNow(shop))).body.lowest_price_30d;
    expect(await lowest()).toBeUndefined();
    stopClockAt(start);
    await ringSales(shop);
    expect(await lowest()).toBe(100);
    stopClockAt(start + 60 * DAY);
    await patchProduct(shop, cup, { name: 'Mug' });
    expect(await lowest()).toBe(100);
    stopClockAt(start + 90 * DAY);
    await ringSales(shop);
    expect(await lowest()).toBeUndefined();
  });
});
