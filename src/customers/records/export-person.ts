import { checkoutsOfPerson } from '../../checkout/index.ts';
import { personalEvents } from '../../events/index.ts';
import { iso, now } from '../../kernel/core/clock.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { ordersOf, ordersOfPerson, presentEntry, timelinesOfPerson } from '../../orders/index.ts';
import { redemptionsOfPerson } from '../../promotions/index.ts';
import { presentAddress } from '../addresses/present.ts';
import { listAddresses } from '../addresses/store.ts';
import { cartsOf } from '../carts/cart-records.ts';
import { cartsOfPerson } from '../carts/read-carts.ts';
import { resourcesOf } from '../erase.ts';
import { presentRecord } from '../present.ts';
import { resetTimes } from '../sessions/resets.ts';
import { sessionTimes } from '../sessions/store.ts';
import type { CustomerRow } from '../tables.ts';
import { type CustomerExport, MAX_EXPORTED } from './schemas.ts';

/** The lists of an export, in their order. */
type Lists = {
  readonly [Name in Exclude<keyof CustomerExport, 'exported_at' | 'customer' | 'incomplete'>]: () => Rows<
    CustomerExport[Name][number]
  >;
};
type Rows<Row> = AsyncIterable<Row> | Promise<readonly Row[]>;

/**
 * Yields the JSON of everything that is kept about a customer, see {@link CustomerExport}. Holds a page of one
 * list in memory. Each list ends at {@link MAX_EXPORTED} entries and is then named in `incomplete`.
 */
export async function* exportPerson(ctx: TenantContext, row: CustomerRow): AsyncGenerator<string, void> {
  yield `{"exported_at":${JSON.stringify(iso(now()))},"customer":${JSON.stringify(presentRecord(row))}`;
  const incomplete: string[] = [];
  for (const [name, read] of Object.entries(listsOf(ctx, row.id))) {
    yield `,${JSON.stringify(name)}:[`;
    let count = 0;
    for await (const one of rowsOf<unknown>(read())) {
      if (count === MAX_EXPORTED) {
        incomplete.push(name);
        break;
      }
      yield `${count === 0 ? '' : ','}${JSON.stringify(one)}`;
      count += 1;
    }
    yield ']';
  }
  yield `,"incomplete":${JSON.stringify(incomplete)}}`;
}

async function* rowsOf<Row>(rows: Rows<Row>): AsyncGenerator<Row, void> {
  yield* await rows;
}

/** Returns how each list is read. One entry more than is exported tells that there are more. */
function listsOf(ctx: TenantContext, id: number): Lists {
  const orders = ordersOf(ctx.tenantId, id);
  const most = MAX_EXPORTED + 1;
  return {
    addresses: async () => (await listAddresses(ctx, id)).map(presentAddress),
    sessions: async () =>
      (await sessionTimes(ctx, id)).map(({ createdAt, expiresAt }) => ({
        created_at: iso(createdAt),
        expires_at: iso(expiresAt),
      })),
    password_resets: async () =>
      (await resetTimes(ctx, id)).map(({ expiresAt }) => ({ expires_at: iso(expiresAt) })),
    carts: () => cartsOfPerson(ctx, id),
    checkouts: async () =>
      (await checkoutsOfPerson(ctx, { customerId: id, carts: cartsOf(ctx, id), orders }, most)).map(
        (one) => ({
          order_id: one.orderId,
          status: one.status,
          buyer: one.buyer,
          created_at: iso(one.createdAt),
          expires_at: iso(one.expiresAt),
        }),
      ),
    orders: () => ordersOfPerson(ctx, id),
    timeline: async () =>
      (await timelinesOfPerson(ctx, orders, most)).map((entry) => ({
        order_id: entry.orderId,
        ...presentEntry(entry),
      })),
    redemptions: async () =>
      (await redemptionsOfPerson(ctx, orders, most)).map(({ orderId, promotionId }) => ({
        order_id: orderId,
        promotion_id: promotionId,
      })),
    events: () => eventsOf(ctx, id, most),
  };
}

/** Yields the events about a customer, newest first. */
async function* eventsOf(
  ctx: TenantContext,
  id: number,
  most: number,
): AsyncGenerator<CustomerExport['events'][number], void> {
  for await (const { occurredAt, ...event } of personalEvents(ctx, resourcesOf(ctx, id), most)) {
    yield { id: event.id, type: event.type, occurred_at: iso(occurredAt), data: event.data };
  }
}
