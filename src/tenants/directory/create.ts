import { and, eq, type SQL, sql } from 'drizzle-orm';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { type Chore, tenantSteps } from '../../kernel/data/chore.ts';
import {
  batch,
  database,
  directory,
  namedBatch,
  type Statement,
  violation,
} from '../../kernel/data/database.ts';
import { claimIdRange } from '../../kernel/data/ids.ts';
import { areDeclaredIn, FIRST_EU_TENANT_ID, type Jurisdiction } from '../../kernel/data/jurisdiction.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import {
  abandonStatements,
  endPlacement,
  type GivenUp,
  isUnfinished,
  type Placement,
  placedStatement,
  placeTenant,
  resumePlacement,
  unfinishedPlacements,
} from '../../kernel/shards/placements.ts';
import { databaseNames, type ShardName, shardNames, shardNumber } from '../../kernel/shards/shard-names.ts';
import { withPatch } from '../patches/apply-patch.ts';
import { includesUcp } from '../plans.ts';
import { DEFAULT_SETTINGS, type Settings, settingsErrors, type TenantCreate } from '../schemas.ts';
import { newCheckoutSecret, stripeErrors, writeSecrets } from '../secrets.ts';
import { findTenant, requireTenant, tenantQuery, tenantWithId } from '../store.ts';
import { type TenantRow, tenantHosts, tenants } from '../tables.ts';
import { claimHosts, hostsOf, misplacedUrl, settleStatements, unsettledClaims } from './hosts.ts';

/** The columns of a new tenant that its input decides. */
interface NewTenant extends Omit<TenantCreate, 'currencies' | 'settings' | 'jurisdiction'> {
  readonly currencies: string[];
  readonly settings: Settings;
}

/**
 * Creates a tenant with its own `checkout_secret`: places it on a shard, writes its row there, then makes it known.
 * `slug_taken` if the slug is in use. A retry of a call continues where it broke off, and returns the same tenant
 * once it is created; without a retry {@link endCreations} ends it.
 */
export async function createTenant(
  env: Env,
  input: TenantCreate,
  once: IdempotencyScope,
): Promise<Result<TenantRow>> {
  const tenant = newTenant(env, input);
  if (!tenant.ok) return tenant;
  const placed = await place(env, input, once);
  if (!placed.ok) return placed;
  const { tenantId, state } = placed.value;
  // An earlier run has created it, and its settings may have changed since.
  if (state === 'placed') return ok(await requireTenant({ db: database(env, tenantId), tenantId }));
  const claim = { tenantId, hosts: hostsOf(tenant.value.settings), at: now() };
  const claimed = claim.hosts.length === 0 ? ok(undefined) : await claimHosts(env, claim);
  if (!claimed.ok) {
    await abandon(env, { tenantId, before: Number.MAX_SAFE_INTEGER });
    return claimed;
  }
  const row = await writeRow(env, placed.value, tenant.value);
  await endPlacement(env, placed.value, settleStatements(env, claim));
  return ok(row);
}

/** Returns the columns of a new tenant, or why it can't be created. */
function newTenant(env: Env, input: TenantCreate): Result<NewTenant> {
  const currencies = [...new Set([input.currency, ...(input.currencies ?? [])])];
  const settings = withPatch(DEFAULT_SETTINGS, input.settings);
  if (settings.ucp?.enabled && !includesUcp(input.plan)) return fail('plan_not_allowed');
  const errors = settingsErrors({ settings, currency: input.currency, currencies }, 'settings.');
  const { slug } = input;
  if (Object.keys(stripeErrors(env, { slug, payments: settings.payments, stored: [] })).length > 0) {
    errors['settings.payments'] = ['can be stripe only once the tenant has its Stripe secrets'];
  }
  const { jurisdiction = null, ...values } = input;
  if (!isAvailable(env, jurisdiction)) errors.jurisdiction = ['is not available in this deployment'];
  if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
  return misplacedUrl(env, input.settings, 'settings.') ?? ok({ ...values, currencies, settings });
}

/** Places a new tenant on a shard; `slug_taken`. Returns the placement that an earlier run of the call has made. */
async function place(
  env: Env,
  { slug, plan, ...more }: TenantCreate,
  once: IdempotencyScope,
): Promise<Result<Placement>> {
  const jurisdiction = more.jurisdiction ?? null;
  const earlier = once.ref === null ? null : await resumePlacement(env, once.ref);
  if (earlier) return ok(earlier);
  try {
    const marks = once.ref === null ? once.mark(slug) : [];
    const place = {
      slug,
      alone: plan === 'enterprise',
      tenantId: nextTenantId(jurisdiction),
      candidates: shardsIn(env, jurisdiction),
    };
    return ok(await placeTenant(env, place, marks));
  } catch (error) {
    if (violation(error)?.kind === 'unique') return fail('slug_taken');
    throw error;
  }
}

/**
 * Gives a creation up whose row was never written: its slug and its hosts are free again. Changes nothing of one that a
 * retry has completed or goes on with meanwhile.
 */
async function abandon(env: Env, given: GivenUp): Promise<void> {
  const db = directory(env);
  const isGiven = and(eq(tenantHosts.tenantId, given.tenantId), isUnfinished(given));
  await batch(db, [db.delete(tenantHosts).where(isGiven), ...abandonStatements(env, given)]);
}

/** Returns whether this deployment keeps tenants of a jurisdiction in databases and a bucket that are there. */
export const isAvailable = (env: Env, jurisdiction: Jurisdiction | null): boolean =>
  areDeclaredIn(env, jurisdiction, ['DB', 'MEDIA']) && shardsIn(env, jurisdiction).length > 0;

/** Returns the shards whose databases are in a jurisdiction. */
export const shardsIn = (env: Env, jurisdiction: Jurisdiction | null): ShardName[] =>
  shardNames(env).filter((shard) => areDeclaredIn(env, jurisdiction, databaseNames(env, shard)));

/** New ids are at least the number of seconds since this instant (ms). */
const IDS_SINCE = Date.UTC(2026, 0);

/**
 * Returns the expression of the next tenant id in a jurisdiction. It is never an earlier tenant's, also if the directory
 * was restored to the time before that one: its objects, images and search documents are still there.
 */
function nextTenantId(jurisdiction: Jurisdiction | null): SQL<number> {
  const [first, isOwn] =
    jurisdiction === null
      ? [1, sql`tenant_id < ${FIRST_EU_TENANT_ID}`]
      : [FIRST_EU_TENANT_ID, sql`tenant_id >= ${FIRST_EU_TENANT_ID}`];
  const least = first + Math.floor((now() - IDS_SINCE) / 1_000);
  return sql`(SELECT max(coalesce(max(tenant_id) + 1, 0), ${least}) FROM placements WHERE ${isOwn})`;
}

/** Writes a new tenant's row and its secret on its shard, unless an earlier run has. Returns the row. */
async function writeRow(
  env: Env,
  { tenantId, shard }: Pick<Placement, 'tenantId' | 'shard'>,
  tenant: NewTenant,
): Promise<TenantRow> {
  const ctx = { env, db: database(env, tenantId), tenantId };
  const at = now();
  const columns = { ...tenant, id: tenantId, catalogVersion: at, createdAt: at, updatedAt: at };
  const statements: Statement[] = [
    claimIdRange(ctx.db, shardNumber(shard)),
    ctx.db.insert(tenants).values(columns),
    ...(await writeSecrets(ctx, tenant.slug, { checkout_secret: newCheckoutSecret() })),
  ];
  try {
    const {
      written: [row],
    } = await namedBatch(ctx.db, { written: tenantQuery(ctx) }, statements);
    if (!row) throw new Error('An insert made no tenant');
    return row;
  } catch (error) {
    // An earlier or a concurrent run of the same call has written it.
    const row = violation(error) ? await findTenant(ctx) : null;
    if (!row) throw error;
    return row;
  }
}

/** A creation that was begun longer ago than this (ms) has died: no request takes as long. */
const CREATION_TIMEOUT_MS = 15 * MINUTE;
/** The most tenants that one step reads. Each has a message of its own, so that none waits for another's shard. */
const MAX_TENANTS_PER_STEP = 50;

/** Chore on the directory that ends creations which broke off: completes one whose row was written, frees the others. */
export const endCreations: Chore = async ({ env }, { tenantId, after = 0 }) => {
  const before = now() - CREATION_TIMEOUT_MS;
  if (tenantId === undefined) {
    const page = { after: Number(after), limit: MAX_TENANTS_PER_STEP };
    const begun = await unfinishedPlacements(env, before, page);
    return tenantSteps(
      begun.map((placement) => placement.tenantId),
      MAX_TENANTS_PER_STEP,
    );
  }
  const row = await tenantWithId(env, tenantId);
  if (row) await batch(directory(env), [placedStatement(env, tenantId)]);
  else await abandon(env, { tenantId, before });
  return {};
};

/** A claim is unsettled for at most as long as its request runs (ms). */
const CLAIM_TIMEOUT_MS = 5 * MINUTE;

/** Chore on the directory that settles claims of hosts whose request has died, by the tenant's settings. */
export const settleClaims: Chore = async ({ env }, { tenantId, after = 0 }) => {
  const at = now() - CLAIM_TIMEOUT_MS;
  if (tenantId === undefined) {
    const due = await unsettledClaims(env, at, { after: Number(after), limit: MAX_TENANTS_PER_STEP });
    return tenantSteps(
      due.map((claim) => claim.tenantId),
      MAX_TENANTS_PER_STEP,
    );
  }
  const row = await tenantWithId(env, tenantId);
  if (row) await batch(directory(env), settleStatements(env, { tenantId, hosts: hostsOf(row.settings), at }));
  return {};
};
