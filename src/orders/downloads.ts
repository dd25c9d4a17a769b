import { and, eq, gte, ne, notExists } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { digest62, hasKey, keyVersion, sameText } from '../kernel/crypto/crypto.ts';
import { database } from '../kernel/data/database.ts';
import { refundAllowances } from './refunds/tables.ts';
import { orderLines, orders } from './tables.ts';

/** How long a download link is valid (ms). */
const LINK_LIFETIME_MS = 7 * DAY;
const PURPOSE = 'download';

/** The file that a download link leads to. */
export interface Download {
  readonly tenantId: number;
  readonly orderId: string;
  readonly lineId: number;
  readonly linkId: number;
}

/**
 * Returns a token for one file of an order: `dl_<tenant>-<order>-<line>-<link>-<expiry>_<digest>`, valid for
 * 7 days. The expiry is in Unix seconds.
 */
export function downloadToken(env: object, { tenantId, orderId, lineId, linkId }: Download): string {
  const until = Math.ceil((now() + LINK_LIFETIME_MS) / 1000);
  const claims = [tenantId, orderId.replace(/^ord_/, ''), lineId, linkId, until].join('-');
  const version = keyVersion(env);
  return `dl_${claims}_${version}${digest62({ env, version, purpose: PURPOSE }, claims, 32)}`;
}

/** Verifies a download token; `null` if it is forged or expired. */
export function readDownloadToken(env: object, token: string): Download | null {
  const match = /^dl_((\d{1,15})-(\w{24})-(\d{1,15})-(\d{1,15})-(\d{1,15}))_([1-9])(\w{32})$/.exec(token);
  if (!match) return null;
  const [, claims = '', tenantId, order = '', lineId, linkId, until, version = '', digest = ''] = match;
  if (!hasKey(env, version)) return null;
  if (!sameText(digest62({ env, version, purpose: PURPOSE }, claims, 32), digest)) return null;
  if (Number(until) * 1000 < now()) return null;
  return {
    tenantId: Number(tenantId),
    orderId: `ord_${order}`,
    lineId: Number(lineId),
    linkId: Number(linkId),
  };
}

/**
 * Returns the URL of the file that a download token leads to; `null` if the token is invalid, or the order is
 * not paid, was refunded, or has no such file.
 */
export async function downloadUrl(env: Env, token: string): Promise<string | null> {
  const link = readDownloadToken(env, token);
  if (!link) return null;
  const { tenantId, orderId, lineId, linkId } = link;
  const db = database(env, tenantId);
  const refunded = db
    .select({ used: refundAllowances.used })
    .from(refundAllowances)
    .where(
      and(
        eq(refundAllowances.tenantId, tenantId),
        eq(refundAllowances.orderId, orderId),
        eq(refundAllowances.subject, `line_${lineId}`),
        gte(refundAllowances.used, refundAllowances.total),
      ),
    );
  const [line] = await db
    .select({ links: orderLines.links })
    .from(orderLines)
    .innerJoin(orders, and(eq(orders.tenantId, orderLines.tenantId), eq(orders.id, orderLines.orderId)))
    .where(
      and(
        eq(orderLines.tenantId, tenantId),
        eq(orderLines.orderId, orderId),
        eq(orderLines.id, lineId),
        eq(orders.status, 'paid'),
        ne(orders.paymentStatus, 'refunded'),
        notExists(refunded),
      ),
    );
  return line?.links.find(({ id }) => id === linkId)?.url ?? null;
}
