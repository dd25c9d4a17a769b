import { and, eq } from 'drizzle-orm';
import { type Context, Hono } from 'hono';
import { etagMatches } from '../../kernel/cache/cached-body.ts';
import type { Failure } from '../../kernel/core/errors.ts';
import { database, namedBatch } from '../../kernel/data/database.ts';
import { connectingNetwork } from '../../kernel/http/client-ip.ts';
import type { App } from '../../kernel/http/context.ts';
import { ANONYMOUS_LOOKUPS, NetworkThrottle, networkKey } from '../../kernel/http/network-throttle.ts';
import { problem, readOnly } from '../../kernel/http/problem.ts';
import { respondParts } from '../../kernel/http/text-stream.ts';
import { backgroundWork, type TenantRow, tenants } from '../../tenants/index.ts';
import { type NamedFeed, readFeedFile } from './feed-token.ts';
import { WRITERS } from './formats.ts';
import { countFile } from './store.ts';
import { feeds } from './tables.ts';
import { feedShopOf, writeFeed } from './write-feed.ts';

/** The version of the files' content. Increase it when the same catalogue makes another file. */
const CONTENT_VERSION = 4;

/** How long clients keep a file without asking again (s). */
const MAX_AGE_S = 300;

/** Requests for a file, each of which reads D1, by their network and the feed. */
const requests = new NetworkThrottle(ANONYMOUS_LOOKUPS);

/**
 * The public files of product feeds, `GET /feeds/{signed}.xml | .csv | .jsonl`. No token: the keyed digest in the
 * path is verified without I/O, then the feed's row must exist.
 */
export const feedFiles = new Hono<App>();

feedFiles
  .get('/feeds/:file', async (c) => {
    const feed = readFeedFile(c.env, c.req.param('file'));
    if (!feed) return problem(c, { code: 'not_found' });
    const wait = countRequest(c, feed);
    return wait === 0 ? serveFeed(c, feed) : problem(c, { code: 'rate_limited', retryAfter: wait });
  })
  .all(readOnly);

/**
 * Counts a request for a feed's file; returns how long (s) its network must wait, or 0. A crawler that reads the files
 * of many feeds isn't held up.
 */
function countRequest(c: Context<App>, { id }: NamedFeed): number {
  const key = networkKey(connectingNetwork(c), id);
  const wait = requests.retryAfter(key);
  if (wait === 0) requests.record(key);
  return wait;
}

/** Serves a file: written now, its headers (HEAD), or 304 while catalogue and stock are unchanged. */
async function serveFeed(c: Context<App>, feed: NamedFeed): Promise<Response> {
  c.set('tenantId', feed.tenantId);
  const tenant = await tenantOf(c.env, feed);
  if ('code' in tenant) return problem(c, tenant);
  // Weak: a file that is written while the catalogue changes has rows of several versions.
  // The clock: stock that neither ends nor begins changes the price of bundles before the next version.
  const etag = `W/"${tenant.catalogVersion}-${tenant.clock}-${CONTENT_VERSION}"`;
  const headers = {
    ETag: etag,
    'Cache-Control': `public, max-age=${MAX_AGE_S}`,
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
    'Content-Type': WRITERS[feed.format].contentType,
  };
  if (etagMatches(c.req.header('if-none-match'), etag.slice(2))) {
    return new Response(null, { status: 304, headers: { ...c.get('headers'), ...headers } });
  }
  const work = backgroundWork({ env: c.env, ctx: c.executionCtx }, feed.tenantId);
  if (c.req.method !== 'HEAD') {
    const counted = await countFile(work.ctx, feed);
    if (!counted.ok) return problem(c, notThere(counted.failure));
  }
  return respondParts(c, writeFeed(work, { shop: feedShopOf(tenant), format: feed.format }), headers);
}

/** Returns the tenant of an existing feed, or why it is not served. */
async function tenantOf(env: Env, { id, tenantId }: NamedFeed): Promise<TenantRow | Failure> {
  const db = database(env, tenantId);
  const { found, owner } = await namedBatch(db, {
    found: db
      .select({ id: feeds.id })
      .from(feeds)
      .where(and(eq(feeds.tenantId, tenantId), eq(feeds.id, id))),
    owner: db.select().from(tenants).where(eq(tenants.id, tenantId)),
  });
  const [tenant] = owner;
  if (found.length === 0 || !tenant) return { code: 'not_found' };
  return tenant.status === 'active' ? tenant : { code: 'tenant_suspended' };
}

/** A feed that was deleted meanwhile is reported as not found. */
const notThere = (failure: Failure): Failure =>
  failure.code === 'feed_not_found' ? { code: 'not_found' } : failure;
