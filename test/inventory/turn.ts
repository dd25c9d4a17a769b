import { reservationById, setReservationStatus } from '../../src/inventory/index.ts';
import { batch } from '../../src/kernel/data/database.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

export async function turn(shop: World, id: number, to: 'ordered' | 'consumed' | 'released') {
  const [reservation] = await reservationById(databaseOf(shop), shop.tenantId, id);
  if (!reservation) throw new Error('no reservation');
  const cause = { tenantId: shop.tenantId, batch: crypto.randomUUID(), reason: 'test' };
  await batch(
    databaseOf(shop),
    setReservationStatus({ db: databaseOf(shop), tenantId: shop.tenantId }, cause, {
      reservation,
      to,
      orderId: 'ord_test',
    }),
  );
}
