import { z } from '@hono/zod-openapi';
import { eq, type SQL, sql } from 'drizzle-orm';
import type { ListPage } from '../../kernel/core/pagination.ts';
import { beginsWith, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { withAsciiDomain } from '../../kernel/text/email.ts';
import { words } from '../../kernel/text/fold.ts';
import { plainSpelling } from '../../kernel/text/plain-spelling.ts';
import { customerCounts, customers } from '../tables.ts';

/** The most words of a question; further ones are ignored. */
const MAX_QUERY_WORDS = 8;
/** A word with more matches than this is too frequent to read all of them. */
export const MAX_CANDIDATES = 5_000;
/** How many of the newest customers are searched when all words are too frequent. */
const MAX_NEWEST = 2_000;
/** About how many terms a page of 100 customers has. */
const TERMS_OF_PAGE = 600;

/** A word of a question, and in how many terms it was found, at most one more than {@link MAX_CANDIDATES}. */
interface CountedWord {
  readonly word: string;
  readonly found: number;
}

/** Returns the words of a question: an e-mail, or the beginning of one, as a whole, anything else by words. */
const wordsOf = (q: string): string[] =>
  [
    ...new Set(
      q
        .split(/\s+/)
        .flatMap((part) => (part.includes('@') ? [withAsciiDomain(part).toLowerCase()] : words(part))),
    ),
  ].slice(0, MAX_QUERY_WORDS);

/** Returns a word and its plain spelling, if that is another word. */
function spellingsOf(word: string): string[] {
  const plain = plainSpelling(word);
  return plain.length === 1 ? [word, ...plain] : [word];
}

/** Returns the condition that a term begins with a word, as it is or in its plain spelling. */
const begins = (word: string): SQL =>
  sql`(${sql.join(
    spellingsOf(word).map((one) => beginsWith(sql`term`, one)),
    sql` OR `,
  )})`;

/** Returns the condition that one of the few terms of a customer begins with a word. */
const hasWord = (tenantId: number, word: string): SQL =>
  sql`EXISTS (SELECT 1 FROM customer_terms INDEXED BY customer_terms_customer
    WHERE tenant_id = ${tenantId} AND customer_id = ${customers.id} AND ${begins(word)})`;

/** Returns the words, the rarest first. */
async function countWords(
  { db, tenantId }: TenantDatabase,
  asked: readonly string[],
): Promise<CountedWord[]> {
  const counts = asked.map(
    (word) => sql`(SELECT count(*) FROM (SELECT 1 FROM customer_terms
      WHERE tenant_id = ${tenantId} AND ${begins(word)} LIMIT ${MAX_CANDIDATES + 1}))`,
  );
  // A list, because D1 takes at most five SELECTs in a UNION.
  const [row] = await rows<{ found: string }>(
    db,
    sql`SELECT json_array(${sql.join(counts, sql`, `)}) AS found`,
  );
  const found = z.array(z.int()).parse(JSON.parse(row?.found ?? '[]'));
  return asked.map((word, n) => ({ word, found: found[n] ?? 0 })).sort((a, b) => a.found - b.found);
}

/**
 * Returns whether so many customers match, by the total in the page's cursor, that comparing each one from its place on
 * reads fewer rows than counting and reading the matches of a word.
 */
async function areDense(
  { db, tenantId }: TenantDatabase,
  { counted = 0 }: ListPage<unknown>,
): Promise<boolean> {
  const rowsByWord = 2 * counted;
  if (rowsByWord < TERMS_OF_PAGE) return false;
  const [all] = await db
    .select({ total: customerCounts.total })
    .from(customerCounts)
    .where(eq(customerCounts.tenantId, tenantId));
  return rowsByWord * counted > TERMS_OF_PAGE * (all?.total ?? 0);
}

/**
 * Returns the condition for the customers of a page, or of a list, with a term for each word of `q` as its prefix. It starts
 * from those with the rarest word for whom `after` holds, or where all words are frequent from the newest, so that the
 * number of rows read is bounded. A `q` without words matches nobody.
 */
export async function searchOf(
  ctx: TenantDatabase,
  q: string,
  { page, after }: { readonly page: ListPage<unknown>; readonly after: SQL },
): Promise<SQL> {
  const { tenantId } = ctx;
  const asked = wordsOf(q);
  if (asked.length === 0) return sql`FALSE`;
  const haveWords = (list: readonly string[]) => list.map((word) => hasWord(tenantId, word));
  if (await areDense(ctx, page)) return sql.join(haveWords(asked), sql` AND `);
  const [rarest, ...others] = await countWords(ctx, asked);
  if (!rarest?.found) return sql`FALSE`;
  const isRare = rarest.found <= MAX_CANDIDATES;
  const start = isRare
    ? sql`SELECT customer_id FROM customer_terms WHERE tenant_id = ${tenantId} AND ${begins(rarest.word)} AND ${after}`
    : newestWith(tenantId, rarest.word);
  const compared = (isRare ? others : [rarest, ...others]).map(({ word }) => word);
  return sql.join([sql`${customers.id} IN (${start})`, ...haveWords(compared)], sql` AND `);
}

/** Returns the query for the newest customers with a whole word, and the newest of all: their terms may begin with it. */
function newestWith(tenantId: number, word: string): SQL {
  const whole = spellingsOf(word).map(
    (term) => sql`SELECT * FROM (SELECT customer_id FROM customer_terms
      WHERE tenant_id = ${tenantId} AND term = ${term} ORDER BY customer_id DESC LIMIT ${MAX_CANDIDATES})`,
  );
  const newest = sql`SELECT * FROM (SELECT id FROM customers
    WHERE tenant_id = ${tenantId} AND erased_at IS NULL ORDER BY id DESC LIMIT ${MAX_NEWEST})`;
  return sql.join([...whole, newest], sql` UNION ALL `);
}
