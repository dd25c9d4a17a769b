import {
  readSellableViews,
  type SellableView,
  type SellableViews,
  sellableView,
} from '../../catalog/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { ok } from '../../kernel/core/result.ts';
import { database, namedBatch } from '../../kernel/data/database.ts';
import { newestDatabase, type TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import { spentFor } from '../../orders/index.ts';
import type { PricingSettings } from '../../pricing/index.ts';
import {
  automaticPromotions,
  cachedPromotion,
  cartPromotionOf,
  promotionNow,
} from '../../promotions/index.ts';
import { tenantQuery } from '../../tenants/index.ts';
import type { CartOperation, CartStep, FreshOffers, RepriceNeeds } from '../object/messages.ts';
import type { PricingContext } from '../object/state.ts';
import type { Offer, OfferQuantity, Options } from '../options/offer.ts';
import { resolveOffer } from '../options/resolve.ts';
import type { CartPlace } from './cart-id.ts';

/** Above this number of products one database batch is faster than one cache lookup per product. */
const MAX_CACHE_LOOKUPS = 20;

type OfferedLines = readonly Pick<Offer, 'productId' | 'options'>[];

/** Returns the options of a line. They are canonical JSON, written by offerOf(), and name a variant by its id. */
const optionsOf = ({ options }: Pick<Offer, 'options'>) => JSON.parse(options) as Options;

/** Returns the products of lines, with the variants that the lines have. */
const viewsFor = (lines: OfferedLines) => ({
  productIds: [...new Set(lines.map(({ productId }) => productId))],
  onlyVariants: lines.map((line) => Number(optionsOf(line).variant_id ?? 0)),
});

/** Returns the operation with the offers that it adds as the primary has them. */
export async function withCurrentOffers(
  call: CatalogReader,
  operation: CartOperation,
): Promise<CartOperation> {
  if (operation.name === 'read') return operation;
  const { steps } = operation.edits;
  const added = steps.flatMap((step) =>
    step.op === 'add' && step.addition.ok ? step.addition.value.wanted : [],
  );
  if (added.length === 0) return operation;
  const { views } = await currentViews(
    call,
    added.map(({ offer }) => offer),
  );
  const current = ({ offer, quantity }: OfferQuantity): OfferQuantity => {
    const view = views.get(offer.productId);
    // What is no longer on sale stays short.
    return { offer: (view && resolveOffer(view, optionsOf(offer), now())) ?? offer, quantity };
  };
  const fresh = steps.map((step): CartStep => {
    if (step.op !== 'add' || !step.addition.ok) return step;
    const { value } = step.addition;
    return { op: 'add', addition: ok({ ...value, wanted: value.wanted.map(current) }) };
  });
  return { ...operation, edits: { ...operation.edits, steps: fresh } };
}

/** The oldest catalogue version to read a cart's offers at, and whether their stock must be that of the primary. */
interface Lookup {
  readonly version: number;
  readonly stockIsCurrent: boolean;
}

/** Returns a cart's offers and its codes' promotions, through the cache unless the stock must be current. */
export async function lookUp(
  call: CatalogReader,
  needs: RepriceNeeds,
  { version, stockIsCurrent }: Lookup,
): Promise<FreshOffers> {
  const [views, ...found] = await Promise.all([
    stockIsCurrent && needs.lines.length > 0
      ? currentViews(call, needs.lines)
      : viewsAt(call, needs.lines, version),
    ...needs.codeIds.map((id) => cachedPromotion(call, id, version)),
  ]);
  const codes = found.flatMap((one) => one ?? []);
  // A miss carries no version; the lease's version is known to exist.
  const oldest = Math.min(views.version, ...codes.map((one) => one.version));
  const read = Number.isFinite(oldest) ? oldest : call.caller.catalogVersion;
  const fresh = { codes: codes.map(({ promotion }) => promotion), barred: null };
  return freshOffersOf(needs, { version: read, views: views.views }, fresh);
}

/** Returns the products of lines at this version or a newer one. */
function viewsAt(call: CatalogReader, lines: RepriceNeeds['lines'], version: number): Promise<SellableViews> {
  const wanted = viewsFor(lines);
  return wanted.productIds.length > MAX_CACHE_LOOKUPS
    ? batchedViews(call, wanted, version)
    : cachedViews(call, wanted.productIds, version);
}

/** Returns the products of lines as the primary has them. */
const currentViews = async ({ env, caller: { tenantId } }: CatalogReader, lines: OfferedLines) =>
  readSellableViews(await newestDatabase(env, tenantId), viewsFor(lines));

async function cachedViews(
  call: CatalogReader,
  ids: readonly number[],
  version: number,
): Promise<SellableViews> {
  const found = await Promise.all(ids.map((id) => sellableView(call, id, version)));
  const views = new Map<number, SellableView>();
  let oldest = Number.POSITIVE_INFINITY;
  found.forEach((view, n) => {
    const id = ids[n];
    if (view.ok && id !== undefined) views.set(id, view.value.value);
    oldest = Math.min(oldest, view.ok ? view.value.version : call.caller.catalogVersion);
  });
  return { version: oldest, views };
}

async function batchedViews(
  { env, caller }: CatalogReader,
  wanted: ReturnType<typeof viewsFor>,
  version: number,
): Promise<SellableViews> {
  const { tenantId } = caller;
  const nearest = database(env, tenantId, { since: caller.bookmark });
  const near = await readSellableViews({ db: nearest, tenantId }, wanted);
  if (near.version >= version) return near;
  return readSellableViews(await newestDatabase(env, tenantId), wanted);
}

/**
 * Returns a cart's offers and promotions from this database, uncached, without codes that are used up. Also looks up
 * the automatic promotions that its customer can't redeem.
 */
export async function lookUpNow(ctx: CartPlace & TenantDatabase, needs: RepriceNeeds): Promise<FreshOffers> {
  const [views, barred, ...found] = await Promise.all([
    readSellableViews(ctx, viewsFor(needs.lines)),
    barredPromotions(ctx, needs.customerId),
    ...needs.codeIds.map((id) => promotionNow(ctx, id)),
  ]);
  const codes = found.flatMap((one) => (one?.left ? [one.promotion] : []));
  return freshOffersOf(needs, views, { codes, barred });
}

/** Returns the automatic promotions that a customer can't redeem: used up by them, or for a first order only. */
export const barredPromotions = async (
  ctx: CartPlace & TenantDatabase,
  customerId: number | null,
): Promise<readonly number[]> =>
  customerId === null ? [] : (await spentFor(ctx, null, { customerId, email: null })).map(({ id }) => id);

const freshOffersOf = (
  needs: RepriceNeeds,
  { version, views }: SellableViews,
  { codes, barred }: Pick<FreshOffers, 'codes' | 'barred'>,
): FreshOffers => ({
  version,
  offers: needs.lines.map((line) => {
    const view = views.get(line.productId);
    return { line: line.id, offer: view ? resolveOffer(view, optionsOf(line), now()) : null };
  }),
  codeIds: needs.codeIds,
  codes,
  barred,
});

/** Returns the tenant's pricing settings and automatic promotions from the database, read in one batch. */
export async function readPricingContext(ctx: TenantDatabase): Promise<PricingContext> {
  const { tenants, automatic } = await namedBatch(ctx.db, {
    tenants: tenantQuery(ctx),
    automatic: automaticPromotions(ctx),
  });
  const [tenant] = tenants;
  if (!tenant) throw new Error(`There is no tenant ${ctx.tenantId}`);
  const { catalogVersion, settings } = tenant;
  const pricing: PricingSettings = { tax: settings.tax, shipping: settings.shipping };
  const promotions = automatic.map(cartPromotionOf);
  return {
    version: catalogVersion,
    pricing: JSON.stringify(pricing),
    promotions: JSON.stringify(promotions),
  };
}
