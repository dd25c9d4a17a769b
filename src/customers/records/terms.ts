import { and, eq, type SQL, sql } from 'drizzle-orm';
import { beginsWith, jsonList, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { withAsciiDomain } from '../../kernel/text/email.ts';
import { words } from '../../kernel/text/fold.ts';
import { plainSpelling } from '../../kernel/text/plain-spelling.ts';
import { type CustomerRow, customers, customerTerms } from '../tables.ts';

/** The most terms of one customer; a name and an e-mail have fewer unless they are odd. */
const MAX_TERMS = 60;
/** The most words of a question; further ones are ignored. */
const MAX_QUERY_WORDS = 8;
/** The most customers that the index yields for the longest word; the other words are compared for these alone. */
export const MAX_CANDIDATES = 5_000;

/**
 * Returns the terms that find a customer: the folded words of name and e-mail, those of the name in their plain spelling
 * too, and the whole e-mail.
 */
const termsOf = ({ name, email }: Pick<CustomerRow, 'name' | 'email'>): string[] => {
  const inName = words(name);
  return [...new Set([email, ...words(email), ...inName, ...inName.flatMap(plainSpelling)])].slice(
    0,
    MAX_TERMS,
  );
};

/** Returns the statement that stores the terms of the customer that `which` selects. */
export const insertTerms = (
  { db }: TenantDatabase,
  which: SQL | undefined,
  person: Pick<CustomerRow, 'name' | 'email'>,
): Statement =>
  run(
    db,
    sql`INSERT INTO customer_terms (tenant_id, term, customer_id)
      SELECT ${customers.tenantId}, term.value, ${customers.id} FROM ${customers}, (${jsonList(termsOf(person))}) term
      WHERE ${which}`,
  );

/** Returns the statement that deletes a customer's terms. */
export const forgetTerms = ({ db, tenantId }: TenantDatabase, id: number): Statement =>
  db.delete(customerTerms).where(and(eq(customerTerms.tenantId, tenantId), eq(customerTerms.customerId, id)));

/** Returns the terms of a question: an e-mail, or the beginning of one, as a whole, anything else by words. */
const wordsOf = (q: string): string[] =>
  [
    ...new Set(
      q
        .split(/\s+/)
        .flatMap((part) => (part.includes('@') ? [withAsciiDomain(part).toLowerCase()] : words(part))),
    ),
  ]
    .slice(0, MAX_QUERY_WORDS)
    .sort((a, b) => b.length - a.length);

/** Returns the condition that a term begins with a word, as it is or in its plain spelling. */
function begins(word: string): SQL {
  const [plain, ...further] = plainSpelling(word);
  const asTyped = beginsWith(sql`term`, word);
  return plain === undefined || further.length > 0
    ? asTyped
    : sql`(${asTyped} OR ${beginsWith(sql`term`, plain)})`;
}

/**
 * Returns the condition for customers with a term for each word of `q` as its prefix. The longest word selects at
 * most {@link MAX_CANDIDATES} customers from the index. A `q` without words matches nobody.
 */
export function matchesWords(tenantId: number, q: string): SQL {
  const [longest, ...others] = wordsOf(q);
  if (longest === undefined) return sql`FALSE`;
  const candidates = sql`${customers.id} IN (SELECT customer_id FROM customer_terms
    WHERE tenant_id = ${tenantId} AND ${begins(longest)} LIMIT ${MAX_CANDIDATES})`;
  const rest = others.map(
    // The few terms of a customer, not all customers' terms with this beginning.
    (word) => sql`EXISTS (SELECT 1 FROM customer_terms INDEXED BY customer_terms_customer
      WHERE tenant_id = ${tenantId} AND customer_id = ${customers.id} AND ${begins(word)})`,
  );
  return sql.join([candidates, ...rest], sql` AND `);
}
