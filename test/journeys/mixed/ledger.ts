import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { database, rows } from '../../../src/kernel/data/database.ts';
import type { Fault } from '../../support/auditor/rule.ts';
import { catalogVersion } from '../../support/fixtures/catalog/imports.ts';
import type { Answer, World } from '../../support/world.ts';

/** The reason of the adjustments that a ledger knows. */
export const RECOUNT = 'recount';

const byId = (one: { id: string }): string => one.id;

/** Records what the shop's responses confirmed to its clients, and compares it with what the shop has stored. */
export class Ledger {
  /** Units by SKU that confirmed adjustments added. */
  readonly adjusted: Record<string, number> = {};
  /** Ids of what was confirmed. */
  readonly refunds = new Set<string>();
  readonly parcels = new Set<string>();
  readonly paid = new Set<string>();
  /** Handles of products by the id of the import that was confirmed. */
  readonly imports = new Map<string, readonly string[]>();
  /** The price by product that was confirmed last. */
  readonly prices = new Map<number, number>();
  /** Units by product in each cart, by its token. */
  readonly carts = new Map<string, ReadonlyMap<number, number>>();
  /** What a client saw that can't be. */
  readonly faults: Fault[] = [];

  constructor(private readonly shop: World) {}

  /** Returns what was confirmed and isn't stored, and what is stored more often than it was confirmed. */
  async audit(): Promise<Fault[]> {
    const parts = [
      this.auditEffects(),
      this.auditImports(),
      this.auditPrices(),
      this.auditCarts(),
      this.auditFeed(),
    ];
    const found = (await Promise.all(parts)).flat().filter((fault) => fault.rows.length > 0);
    return [...this.faults, ...found];
  }

  /** Reads as a client does: on a machine that is too busy, a response may be 503 for a while. */
  private async read(...call: Parameters<World['get']>): Promise<Answer> {
    const answer = await this.shop.get(...call);
    if (answer.status !== 503) return answer;
    await scheduler.wait(1_000);
    return this.read(...call);
  }

  private list<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
    return rows<Row>(database(env, this.shop.tenantId), query);
  }

  /** Compares what calls with an Idempotency-Key have done: each its effect, and none twice. */
  private async auditEffects(): Promise<Fault[]> {
    const { tenantId } = this.shop;
    const [moved, refunds, parcels, paid] = await Promise.all([
      this.list<{ sku: string; units: number }>(
        sql`SELECT i.sku, sum(new_stock - old_stock) AS units FROM stock_movements s
          JOIN inventory_items i ON i.id = s.item_id
          WHERE s.tenant_id = ${tenantId} AND s.reason = ${RECOUNT} GROUP BY 1`,
      ),
      this.list<{ id: string }>(
        sql`SELECT id FROM refunds WHERE tenant_id = ${tenantId} AND source = 'request'`,
      ),
      this.list<{ id: string }>(sql`SELECT id FROM order_fulfilments WHERE tenant_id = ${tenantId}`),
      this.list<{ id: string }>(
        sql`SELECT substr(resource, 7) AS id FROM outbox
          WHERE tenant_id = ${tenantId} AND type = 'order.paid'`,
      ),
    ]);
    const wrong = moved.filter(({ sku, units }) => units !== (this.adjusted[sku] ?? 0));
    const differing = (stored: readonly { id: string }[], announced: ReadonlySet<string>) => {
      const ids = new Set(stored.map(byId));
      return [...new Set([...ids, ...announced])]
        .filter((id) => !(ids.has(id) && announced.has(id)))
        .map((id) => ({ id }));
    };
    const known = new Set(paid.map(byId));
    return [
      { rule: 'each confirmed adjustment changed the stock once', rows: wrong },
      { rule: 'the stored refunds are those that were confirmed', rows: differing(refunds, this.refunds) },
      {
        rule: 'the stored fulfilments are those that were confirmed',
        rows: differing(parcels, this.parcels),
      },
      {
        rule: 'each order that was confirmed as paid is stored as paid',
        rows: [...this.paid].filter((id) => !known.has(id)).map((id) => ({ id })),
      },
    ];
  }

  private async auditImports(): Promise<Fault[]> {
    const handles = [...this.imports.values()].flat();
    const found = await this.list<{ slug: string; n: number }>(
      sql`SELECT slug, count(*) AS n FROM products WHERE tenant_id = ${this.shop.tenantId}
        AND slug LIKE 'imported-%' GROUP BY 1`,
    );
    const slugs = new Map(found.map(({ slug, n }) => [slug, n]));
    const missing = handles.filter((slug) => slugs.get(slug) !== 1).map((slug) => ({ slug }));
    const surplus = found.filter(({ slug }) => !handles.includes(slug));
    return [{ rule: 'each product of an import was made once', rows: [...missing, ...surplus] }];
  }

  /** Compares prices in the database and in what the API answers: cached, and from the database. */
  private async auditPrices(): Promise<Fault[]> {
    const newest = { headers: { 'x-catalog-version': String(await catalogVersion(this.shop)) } };
    const compared = [...this.prices].map(async ([id, price]) => {
      const seen = await Promise.all([this.read(`/products/${id}`), this.read(`/products/${id}`, newest)]);
      const shown = seen.map(({ body }) => body.price);
      return shown.every((one) => one === price) ? [] : [{ id, price, shown }];
    });
    return [
      { rule: 'a product has the price that was confirmed last', rows: (await Promise.all(compared)).flat() },
    ];
  }

  private async auditCarts(): Promise<Fault[]> {
    const filled = [...this.carts].filter(([, lines]) => lines.size > 0); // an empty one ends after six hours
    const compared = filled.map(async ([token, lines]) => {
      const { status, body } = await this.read(`/cart/${token}`);
      const stored = status === 200 ? linesOf(body) : null;
      return stored && isSame(stored, lines)
        ? []
        : [{ status, wanted: [...lines], stored: stored && [...stored] }];
    });
    return [{ rule: 'a cart has the lines that it confirmed', rows: (await Promise.all(compared)).flat() }];
  }

  /** Compares the feed of events with the outbox: each event once, in the order of its commit. */
  private async auditFeed(): Promise<Fault[]> {
    const stored = await this.list<{ id: string }>(
      sql`SELECT id FROM outbox WHERE tenant_id = ${this.shop.tenantId} ORDER BY position`,
    );
    const fed: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await this.read(`/events?limit=100${after}`);
      if (body.data.length === 0) break;
      fed.push(...body.data.map(byId));
      after = `&after=${body.meta.next_cursor}`;
    }
    const agrees = JSON.stringify(fed) === JSON.stringify(stored.map(byId));
    const rule = 'the feed has each event once, in the order of commits';
    return [{ rule, rows: agrees ? [] : [{ fed: fed.length, stored: stored.length }] }];
  }
}

/** Returns the units by product of a cart's body. */
export const linesOf = (body: { items: { product_id: number; quantity: number }[] }): Map<number, number> =>
  new Map(body.items.map(({ product_id, quantity }) => [product_id, quantity]));

/** Returns whether two carts have the same lines. */
export const isSame = (a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): boolean =>
  a.size === b.size && [...a].every(([product, quantity]) => b.get(product) === quantity);
