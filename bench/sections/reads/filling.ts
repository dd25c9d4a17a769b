import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../../../scripts/dev/client.ts';
import type { ProductState } from '../../../src/catalog/index.ts';
import { type Finding, table } from '../../report.ts';
import { service } from '../../worker.ts';
import { product } from '../../world/catalogue.ts';
import { databaseFiles } from '../../world/databases.ts';
import { filler } from '../../world/filler.ts';
import type { DatabaseFiles, Filling } from '../../world/filling.ts';
import { makeShops } from '../../world/world.ts';

const PRODUCTS = 200;
/** The longest time (ms) until the search index has all products. */
const MAX_INDEXING_MS = 60_000;

/** What only the API writes (the log of calls, the outbox), and tables of SQLite, D1 and FTS5. */
const NOT_COMPARED =
  /^(applications|audit_log|call_hours|idempotency_keys|outbox|search_changes|search_progress|tenants|_cf_.*|sqlite_.*|d1_.*|search_index_.*)$/;
/** Columns that hold an instant or the number of a change, and instants in JSON. */
const MOMENTARY = /_at$|^(version|sequence)$/;
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Compares the rows that filling writes with those of the same products created through the API. */
export async function filling(): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-filling-'));
  const [called, filled] = [join(folder, 'called'), join(folder, 'filled')];
  try {
    const { world, fillings } = await makeShops(called, PRODUCTS);
    cpSync(called, filled, { recursive: true });
    await createThroughApi(called, world.shops[0].token, fillings[0]);
    const { fill } = await filler();
    const begun = performance.now();
    await fill(databaseFiles(filled), fillings[0]);
    const seconds = (performance.now() - begun) / 1000;
    return report(compare(databaseFiles(called), databaseFiles(filled)), seconds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Creates the products of a filling one by one, and waits until the search index has them. */
async function createThroughApi(folder: string, token: string, { seed, ...shop }: Filling): Promise<void> {
  const worker = await service(folder);
  try {
    const api = client(worker.url.origin, token);
    for (let n = 0; n < shop.count; n++) {
      await api(
        'POST',
        '/v1/products',
        inputOf(product(seed, n, shop.currency, shop.categories), shop.currency),
      );
    }
    const ended = Date.now() + MAX_INDEXING_MS;
    let found = 0;
    while (found < shop.count) {
      if (Date.now() > ended) throw new Error(`The search index has ${found} of ${shop.count} products.`);
      await sleep(500);
      const { meta } = await api<{ meta: { total: number } }>('GET', '/v1/search?q=maker&limit=1');
      found = meta.total;
    }
  } finally {
    await worker.stop();
  }
}

/** Returns the request body that creates a product of the catalogue. */
function inputOf(state: ProductState, currency: string): object {
  const amount = (minor: number | null | undefined) => (minor == null ? minor : minor / 100);
  const { type, status, sku, name, slug, description, images, barcode, tags, vendor, stock } = state;
  return {
    type,
    status,
    sku,
    name,
    slug,
    description,
    images,
    barcode,
    tags,
    vendor,
    price: amount(state.prices[currency]),
    regular_price: amount(state.regularPrice),
    category_ids: state.categoryIds,
    ...(stock === null ? {} : { stock }),
    ...(type === 'configurable' && {
      variants: state.variants.map((variant) => ({
        sku: variant.sku,
        stock: variant.stock,
        attributes: variant.attributes,
        price: amount(variant.prices[currency]),
      })),
    }),
  };
}

/** The rows of a table that only one of both has. */
interface Difference {
  readonly name: string;
  readonly rows: number;
  readonly called: readonly string[];
  readonly filled: readonly string[];
}

function compare(called: DatabaseFiles, filled: DatabaseFiles): Difference[] {
  return ([['main'], ['search']] as const).flatMap(([database]) => {
    const [left, right] = [rowsOf(called[database]), rowsOf(filled[database])];
    return [...left].map(([name, rows]) => {
      const others = right.get(name) ?? [];
      const without = (list: string[], known: string[]) => {
        const set = new Set(known);
        return list.filter((row) => !set.has(row));
      };
      return { name, rows: rows.length, called: without(rows, others), filled: without(others, rows) };
    });
  });
}

/** Returns the rows of each table as JSON, without what differs from run to run. */
function rowsOf(file: string): Map<string, string[]> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !NOT_COMPARED.test(name));
    const lasting = (column: string, value: unknown): unknown => (MOMENTARY.test(column) ? undefined : value);
    return new Map(
      tables.map((name) => [
        name,
        database
          .prepare(`SELECT * FROM ${name}`)
          .all()
          .map((row) => JSON.stringify(row, lasting).replaceAll(INSTANT, '')),
      ]),
    );
  } finally {
    database.close();
  }
}

function report(differences: readonly Difference[], seconds: number): Finding[] {
  const rate = Math.round(PRODUCTS / seconds);
  console.log(`\nThe rows of ${PRODUCTS} products, filled at ${rate} a second and created through the API`);
  table(
    ['table', 'rows', 'by the API alone', 'by filling alone'],
    differences
      .filter(({ rows, filled }) => rows + filled.length > 0)
      .map(({ name, rows, called, filled }) => [name, rows, called.length, filled.length]),
  );
  for (const { name, called, filled } of differences) {
    for (const row of [...called.slice(0, 2), ...filled.slice(0, 2)]) console.log(`${name}: ${row}`);
  }
  const differing = differences.reduce((sum, { called, filled }) => sum + called.length + filled.length, 0);
  return [
    {
      measure: `rows of ${PRODUCTS} filled products that differ from the API's`,
      reach: '0',
      figure: String(differing),
      reached: differing === 0,
    },
  ];
}
