import { and, eq, type SQL, sql } from 'drizzle-orm';
import { jsonList, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { words } from '../../kernel/text/fold.ts';
import { plainSpelling } from '../../kernel/text/plain-spelling.ts';
import { type CustomerRow, customers, customerTerms } from '../tables.ts';

/** The most terms of one customer; a name and an e-mail have fewer unless they are odd. */
const MAX_TERMS = 60;

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
