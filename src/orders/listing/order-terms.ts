import { type SQL, sql } from 'drizzle-orm';
import { jsonList, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { withAsciiDomain } from '../../kernel/text/email.ts';
import { fold, words } from '../../kernel/text/fold.ts';
import { plainSpelling } from '../../kernel/text/plain-spelling.ts';
import { firstOf } from '../../kernel/text/text.ts';
import type { OrderLineRow, OrderRow } from '../tables.ts';

/** The longest term in characters: that of an e-mail address. */
const MAX_TERM_LENGTH = 254;
/** The most terms of an order's SKUs, and of its customer's name. */
const MAX_SKU_TERMS = 200;
const MAX_NAME_TERMS = 16;

/** Returns the term of an e-mail address; never one of a tag, which begins with `#`. */
const addressTerm = (text: string): string =>
  firstOf(fold(withAsciiDomain(text)).replace(/^#+/, ''), MAX_TERM_LENGTH);

const isAddress = (part: string): boolean => part.includes('@');

/** Returns the terms of a text: e-mail addresses whole, anything else by its words. */
const termsIn = (text: string, isWhole = isAddress): string[] => [
  ...new Set(text.split(/\s+/).flatMap((part) => (isWhole(part) ? [addressTerm(part)] : words(part)))),
];

/** Returns a term in the spelling that is the same on all keyboards: several where it is parted, or as it is. */
function inPlainSpelling(term: string): readonly string[] {
  const plain = isAddress(term) ? [] : plainSpelling(term);
  return plain.length > 0 ? plain : [term];
}

/**
 * Returns the terms of a search text in each way to read it: by its words, as they are and in their plain spelling, and
 * where a part has several ("j.smith"), with that part as the beginning of an e-mail address.
 */
export function readingsOf(text: string): string[][] {
  const isBeginning = (part: string): boolean => isAddress(part) || words(part).length > 1;
  const typed = termsIn(text);
  const readings = [typed, termsIn(text, isBeginning), [...new Set(typed.flatMap(inPlainSpelling))]];
  return [...new Map(readings.map((terms) => [terms.join(' '), terms])).values()];
}

/**
 * Returns the statement that makes a placed order searchable by its number, its SKUs, and its customer's e-mail
 * address and name. It reads the number that the batch has assigned.
 */
export function termStatement(
  { db, tenantId }: TenantDatabase,
  row: OrderRow,
  lines: readonly OrderLineRow[],
) {
  const skus = new Set(lines.flatMap(({ sku }) => words(sku)));
  const name = words(row.name ?? '').slice(0, MAX_NAME_TERMS);
  const person = new Set([...termsIn(row.email ?? ''), ...name, ...name.flatMap(inPlainSpelling)]);
  const terms = [
    ...[...skus].slice(0, MAX_SKU_TERMS).map((term) => ({ term, personal: 0 })),
    ...[...person].map((term) => ({ term, personal: 1 })),
  ];
  // A word of a name that is also one of an SKU stays found after the customer is erased.
  return run(
    db,
    sql`INSERT OR IGNORE INTO order_terms (tenant_id, order_id, term, personal)
      SELECT tenant_id, id, CAST(number AS TEXT), 0 FROM orders WHERE tenant_id = ${tenantId} AND id = ${row.id}
      UNION ALL SELECT ${tenantId}, ${row.id}, value ->> 'term', value ->> 'personal'
        FROM json_each(${JSON.stringify(terms)})`,
  );
}

/**
 * Returns the term of a tag. No word begins with this character, so that no search text finds an order by a tag; a
 * tag counts as the customer's data, as erasing the customer deletes it.
 */
const tagTerm = (tag: string): string => `#${tag}`;

/** Returns the statements that make an order findable by these tags, in place of its earlier ones. */
export const tagStatements = (
  { db, tenantId }: TenantDatabase,
  orderId: string,
  tags: readonly string[],
): Statement[] => [
  run(
    db,
    sql`DELETE FROM order_terms WHERE tenant_id = ${tenantId} AND order_id = ${orderId}
      AND term >= '#' AND term < '$'`,
  ),
  run(
    db,
    sql`INSERT OR IGNORE INTO order_terms (tenant_id, order_id, term, personal)
      SELECT ${tenantId}, ${orderId}, value, 1 FROM (${jsonList(tags.map(tagTerm))})`,
  ),
];

/** Returns the query for the `order_id` of the orders that have this tag. */
export const tagged = (tenantId: number, tag: string): SQL =>
  sql`SELECT order_id FROM order_terms WHERE tenant_id = ${tenantId} AND term = ${tagTerm(tag)}`;

/** Returns the statement that deletes the terms of customers' data of these orders (a query of their ids). */
export const forgetPersonalTerms = ({ db, tenantId }: TenantDatabase, orderIds: SQL): Statement =>
  run(
    db,
    sql`DELETE FROM order_terms WHERE tenant_id = ${tenantId} AND personal = 1 AND order_id IN (${orderIds})`,
  );
