import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commit, type Write } from '../../src/events/index.ts';
import { moveStock, newCause } from '../../src/inventory/index.ts';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { assertInBatch, guardFailed, rows, run } from '../../src/kernel/data/database.ts';
import { type TenantContext, tenantContext } from '../../src/kernel/data/tenant-context.ts';
import { Tenant } from '../../src/tenants/index.ts';
import { runCron } from '../support/cron.ts';
import { type World, world } from '../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
  moveClock(0);
});

/** An event for a test to commit. */
const event = (resource: string) => ({ type: 'product.updated', resource, data: { resource } }) as const;

/** Returns the statement that renames a tenant. */
const rename = ({ db, tenantId }: TenantContext, name: string) =>
  run(db, sql`UPDATE tenants SET name = ${name} WHERE id = ${tenantId}`);

/** The tenant's row. */
async function tenantRow({ db, tenantId }: TenantContext) {
  const [row] = await rows<{ name: string; version: number; clock: number }>(
    db,
    sql`SELECT name, catalog_version AS version, clock FROM tenants WHERE id = ${tenantId}`,
  );
  if (!row) throw new Error('No such tenant');
  return row;
}

/** The tenant's events in the order in which they were written. */
const outboxOf = ({ db, tenantId }: TenantContext) =>
  rows<{ id: string; type: string; resource: string; sequence: number; relayed_at: number | null }>(
    db,
    sql`SELECT id, type, resource, sequence, relayed_at FROM outbox WHERE tenant_id = ${tenantId} ORDER BY sequence`,
  );

/** A tenant's context whose background work {@link settled} waits for. */
function contextOf(shop: World) {
  const ctx = createExecutionContext();
  return { context: tenantContext({ env, ctx }, shop.tenantId), settled: () => waitOnExecutionContext(ctx) };
}

/** Commits a write, and waits for its background work. */
async function committed(shop: World, write: (ctx: TenantContext) => Write) {
  const { context, settled } = contextOf(shop);
  const done = await commit(context, write(context));
  await settled();
  return { ...done, context };
}

describe('a committed write', () => {
  it('returns what its reads find after the change, by name', async () => {
    const { context, settled } = contextOf(await world());
    const { db, tenantId } = context;
    const { read } = await commit(context, {
      guards: [assertInBatch(db, sql`1 = 1`)],
      statements: [rename(context, 'After')],
      events: [event('product:1')],
      catalogChanged: true,
      reads: {
        none: rows<{ id: number }>(db, sql`SELECT id FROM products WHERE tenant_id = ${tenantId}`),
        tenant: rows<{ name: string }>(db, sql`SELECT name FROM tenants WHERE id = ${tenantId}`),
        events: rows<{ resource: string }>(
          db,
          sql`SELECT resource FROM outbox WHERE tenant_id = ${tenantId}`,
        ),
      },
    });
    await settled();
    expect(read).toEqual({ none: [], tenant: [{ name: 'After' }], events: [{ resource: 'product:1' }] });
  });

  it('advances the catalogue version once, and returns it', async () => {
    const shop = await world();
    const { context } = contextOf(shop);
    // Ahead of the time, which versions follow, so that each step counts.
    const ahead = Date.now() + 1_000_000;
    await run(context.db, sql`UPDATE tenants SET catalog_version = ${ahead} WHERE id = ${shop.tenantId}`);
    const changed = await committed(shop, (ctx) => ({
      statements: [rename(ctx, 'Once'), rename(ctx, 'Twice')],
      events: [event('product:1'), event('product:2')],
      catalogChanged: true,
    }));
    expect(changed.version).toBe(ahead + 1);
    expect((await tenantRow(context)).version).toBe(ahead + 1);
    const other = await committed(shop, (ctx) => ({ statements: [rename(ctx, 'Again')] }));
    expect(other.version).toBe(ahead + 1);
  });

  it('gives its events increasing sequences, also from one write to the next', async () => {
    const shop = await world();
    for (const first of [1, 4]) {
      const events = [first, first + 1, first + 2].map((n) => event(`product:${n}`));
      await committed(shop, () => ({ statements: [], events }));
    }
    const outbox = await outboxOf(contextOf(shop).context);
    expect(outbox.map(({ resource }) => resource)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `product:${n}`));
    expect(new Set(outbox.map(({ sequence }) => sequence)).size).toBe(6);
  });

  it('gives events of one format of id, whether it or its statements record them, and relays all', async () => {
    const shop = await world();
    const made = await shop.post('/products', { name: 'Tea', type: 'simple', price: 3, stock: 5 });
    const { context } = await committed(shop, (ctx) => {
      const cause = newCause(ctx, 'test');
      const moves = [{ itemId: made.body.id, delta: -1 }];
      return {
        batches: [cause.batch],
        statements: moveStock(ctx, cause, { moves }),
        events: [event(`product:${made.body.id}`)],
      };
    });
    const outbox = await outboxOf(context);
    expect(outbox.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['product.updated', 'stock.changed']),
    );
    for (const { id } of outbox) expect(id).toMatch(/^evt_[0-9a-f]{24}$/);
    expect(outbox.filter(({ relayed_at }) => relayed_at === null)).toEqual([]);
  });
});

describe('a broken guard', () => {
  it('rolls everything back: the change, the events, the version and the clock', async () => {
    const shop = await world();
    const { context, settled } = contextOf(shop);
    const before = await tenantRow(context);
    const sent = vi.spyOn(env.WEBHOOK_QUEUE, 'sendBatch');
    let thrown: unknown;
    try {
      await commit(context, {
        guards: [assertInBatch(context.db, sql`1 = 0`)],
        statements: [rename(context, 'Never')],
        events: [event('product:1')],
        catalogChanged: true,
      });
    } catch (error) {
      thrown = error;
    }
    await settled();
    expect(guardFailed(thrown)).toBe(true);
    expect(await tenantRow(context)).toEqual(before);
    expect(await outboxOf(context)).toEqual([]);
    expect(JSON.stringify(sent.mock.calls)).not.toContain(`"tenantId":${shop.tenantId},`);
  });
});

describe('once committed', () => {
  it('a write succeeds although the tenant’s object can not be notified', async () => {
    const shop = await world();
    const moved = vi
      .spyOn(Tenant.prototype, 'catalogMoved')
      .mockRejectedValue(new Error('The object is down'));
    const { version, context } = await committed(shop, (ctx) => ({
      statements: [rename(ctx, 'Kept')],
      catalogChanged: true,
    }));
    expect(moved).toHaveBeenCalled();
    expect(await tenantRow(context)).toMatchObject({ name: 'Kept', version });
  });

  it('a write succeeds although the relay fails, and the chore relays its events', async () => {
    const shop = await world();
    const down = vi.spyOn(env.WEBHOOK_QUEUE, 'sendBatch').mockRejectedValue(new Error('The queue is down'));
    const { context } = await committed(shop, () => ({ statements: [], events: [event('product:1')] }));
    expect(await outboxOf(context)).toMatchObject([{ resource: 'product:1', relayed_at: null }]);
    down.mockRestore();
    moveClock(MINUTE);
    await runCron();
    const [relayed] = await outboxOf(context);
    expect(relayed?.relayed_at).not.toBeNull();
  });
});
