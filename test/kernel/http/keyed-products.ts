import { moveClock } from '../../../src/kernel/core/clock.ts';
import type { World } from '../../support/world.ts';

export const shirt = { name: 'Shirt', type: 'simple', price: 10 };

export const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

export const create = (shop: World, key: string, body: object = shirt) =>
  shop.post('/products', body, keyed(key));

export const howMany = async (shop: World) => {
  moveClock(2_000);
  return (await shop.get('/products')).body.meta.total as number;
};
