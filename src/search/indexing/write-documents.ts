import type { SearchDatabase } from '../database.ts';
import { posting, type SearchDocument } from './document.ts';

/** Bounds of one write's JSON parameter: D1 allows 2 MB, and a character takes up to three bytes. */
const MAX_WRITE_CHARACTERS = 500_000;
const MAX_WRITE_DOCUMENTS = 100;

/** A product to remove from the index. */
export type Removal = Pick<SearchDocument, 'tenantId' | 'productId' | 'version' | 'sequence'>;

/**
 * Indexes live documents and removes the others. Idempotent in any order: a document older than its row is
 * ignored. A document that differs only in `item` doesn't touch the FTS index. Takes one round trip for 100
 * documents of ordinary size; `also` runs in the last batch.
 */
export const upsert = (
  db: SearchDatabase,
  documents: readonly SearchDocument[],
  also: readonly D1PreparedStatement[] = [],
): Promise<void> => write(db, { entries: documents, accepts: 'newer', also });

/** Removes products. A late write that was read before or at the same version doesn't restore them. */
export const remove = (db: SearchDatabase, removals: readonly Removal[]): Promise<void> => {
  const bare = removals.map(({ tenantId, productId, version, sequence }) => ({
    tenantId,
    productId,
    version,
    sequence,
  }));
  return write(db, { entries: bare, accepts: 'newer' });
};

/** Like {@link upsert}, but also rewrites rows that are current, FTS entries included: for a rebuild. */
export const rewrite = (db: SearchDatabase, documents: readonly SearchDocument[]): Promise<void> =>
  write(db, { entries: documents, accepts: 'newer or same' });

/** A document to index, or a product to remove. */
type Entry = SearchDocument | Removal;

/** Entries to write, and statements that run in the last batch. */
interface IndexWrite {
  readonly entries: readonly Entry[];
  /** Which entries replace their row; the others are ignored. */
  readonly accepts: 'newer' | 'newer or same';
  readonly also?: readonly D1PreparedStatement[];
}

async function write(db: SearchDatabase, { entries, accepts, also = [] }: IndexWrite): Promise<void> {
  const same = accepts === 'newer or same' ? 1 : 0;
  const batches = chunks(latest(entries).map(rowOf)).map((rows) =>
    WRITES.map(({ sql, payload }) => {
      const list = rows.map(({ key, payloads }) => `[${key},${payloads[payload]}]`);
      return db.prepare(sql).bind(`[${list.join(',')}]`, same);
    }),
  );
  const last = [...(batches.pop() ?? []), ...also];
  for (const statements of [...batches, last]) if (statements.length > 0) await db.batch(statements);
}

/** Returns the newest entry for each product; between equals, a removal wins. */
function latest(entries: readonly Entry[]): Entry[] {
  const rising = [...entries].sort(
    (a, b) => a.version - b.version || a.sequence - b.sequence || Number(isLive(b)) - Number(isLive(a)),
  );
  return [...new Map(rising.map((entry) => [entry.productId, entry])).values()];
}

const isLive = (entry: Entry): entry is SearchDocument => 'live' in entry && entry.live;

/** What the statements write of a document besides its key: each only what it needs. */
interface Payloads {
  readonly none: unknown;
  readonly spellings: unknown;
  readonly terms: unknown;
  readonly item: unknown;
}

/** An entry as JSON: its values in the column order of `incoming`, and the payload of each statement. */
interface Row {
  readonly key: string;
  readonly payloads: { readonly [Name in keyof Payloads]: string };
}

function rowOf(entry: Entry): Row {
  const { productId, tenantId, sequence, version } = entry;
  const live = isLive(entry) ? { ...posting(entry), item: entry.item } : null;
  const key = [productId, tenantId, sequence, version, live?.place ?? null, live?.digest ?? null];
  const json = (value: unknown) => JSON.stringify(value ?? null);
  return {
    key: key.map(json).join(','),
    payloads: {
      none: json(null),
      spellings: json(live?.spellings ?? []),
      terms: json(live?.terms),
      item: json(live?.item),
    },
  };
}

const lengthOf = ({ key, payloads }: Row): number =>
  key.length + Math.max(...Object.values(payloads).map((payload) => payload.length));

/** Splits rows into chunks that fit one parameter; an oversized row gets a chunk of its own. */
function chunks(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const part = parts.at(-1);
    characters += lengthOf(row);
    if (part && part.length < MAX_WRITE_DOCUMENTS && characters <= MAX_WRITE_CHARACTERS) part.push(row);
    else {
      parts.push([row]);
      characters = lengthOf(row);
    }
  }
  return parts;
}

/**
 * ?1 is the rows and one payload of each as JSON; ?2 is 1 to rewrite rows of equal version. `fresh` holds the rows that
 * are not stale: catalogue versions rise from read to read, and within a version a product's sequence rises.
 */
const FRESH = `
  WITH incoming AS MATERIALIZED (
    SELECT value ->> 0 AS product_id, value ->> 1 AS tenant_id, value ->> 2 AS sequence, value ->> 3 AS version,
      value ->> 4 AS place, value ->> 5 AS digest, value ->> 6 AS payload
    FROM json_each(?1)
  ),
  fresh AS MATERIALIZED (
    SELECT incoming.*, known.place AS old_place, incoming.digest IS NOT known.digest OR ?2 AS reindexed
    FROM incoming LEFT JOIN search_documents AS known ON known.product_id = incoming.product_id
    WHERE known.product_id IS NULL OR (
      known.tenant_id = incoming.tenant_id AND (
        (incoming.version, incoming.sequence) > (known.version, known.sequence)
        OR ((incoming.version, incoming.sequence) = (known.version, known.sequence)
          AND (?2 OR incoming.place IS NULL))
      )
    )
  )`;

/** The statements of one transaction; the documents come last, because `fresh` reads them. */
const WRITES: readonly { readonly payload: keyof Payloads; readonly sql: string }[] = [
  {
    payload: 'spellings',
    sql: `${FRESH} INSERT OR IGNORE INTO search_spellings (tenant_id, word)
      SELECT tenant_id, spelling.value FROM fresh, json_each(fresh.payload) AS spelling WHERE reindexed`,
  },
  {
    payload: 'none',
    sql: `${FRESH} DELETE FROM search_index
      WHERE rowid IN (SELECT old_place FROM fresh WHERE old_place IS NOT NULL AND reindexed)`,
  },
  {
    payload: 'terms',
    sql: `${FRESH} INSERT INTO search_index (rowid, terms)
      SELECT place, payload FROM fresh WHERE place IS NOT NULL AND reindexed`,
  },
  {
    payload: 'item',
    sql: `${FRESH} INSERT INTO search_documents (product_id, tenant_id, version, sequence, place, digest, item)
      SELECT product_id, tenant_id, version, sequence, place, digest, payload FROM fresh WHERE true
      ON CONFLICT (product_id) DO UPDATE SET version = excluded.version, sequence = excluded.sequence,
        place = excluded.place, digest = excluded.digest, item = excluded.item`,
  },
];
