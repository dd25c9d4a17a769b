import {
  readSellableViews,
  type SellableView,
  type SellableViews,
  sellableView,
} from '../../catalog/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { database } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import type { PricingSettings } from '../../pricing/index.ts';
import { cachedCoupon, cartCouponById } from '../../promotions/index.ts';
import { tenantById } from '../../tenants/index.ts';
import type { FreshOffers, RepriceNeeds } from '../object/messages.ts';
import type { PricingContext } from '../object/state.ts';
import type { Options } from '../options/offer.ts';
import { resolveOffer } from '../options/resolve.ts';

/** Above this number of products one database batch is faster than one cache lookup per product. */
const MAX_CACHE_LOOKUPS = 20;

const productIds = ({ lines }: RepriceNeeds): number[] => [
  ...new Set(lines.map(({ productId }) => productId)),
];

/** Returns a cart's offers and coupon at this catalogue version or a newer one, through the cache. */
export async function lookUp(
  call: CatalogReader,
  needs: RepriceNeeds,
  version: number,
): Promise<FreshOffers> {
  const ids = productIds(needs);
  const { couponId } = needs;
  const [views, coupon] = await Promise.all([
    ids.length > MAX_CACHE_LOOKUPS ? batchedViews(call, ids, version) : cachedViews(call, ids, version),
    couponId === null ? null : cachedCoupon(call, couponId, version),
  ]);
  // A miss carries no version; the lease's version is known to exist.
  const versions = [views.version, coupon?.version ?? Number.POSITIVE_INFINITY];
  const oldest = Math.min(...versions);
  const read = Number.isFinite(oldest) ? oldest : call.caller.catalogVersion;
  return freshOffersOf(needs, { version: read, views: views.views }, coupon?.coupon ?? null);
}

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
  ids: readonly number[],
  version: number,
): Promise<SellableViews> {
  const { tenantId } = caller;
  const near = await readSellableViews({ db: database(env, tenantId, 'nearest'), tenantId }, ids);
  return near.version < version ? readSellableViews({ db: database(env, tenantId), tenantId }, ids) : near;
}

/** Returns a cart's offers and coupon from this database, uncached. A used-up coupon is null. */
export async function lookUpNow(ctx: TenantDatabase, needs: RepriceNeeds): Promise<FreshOffers> {
  const [views, coupon] = await Promise.all([
    readSellableViews(ctx, productIds(needs)),
    needs.couponId === null ? null : cartCouponById(ctx, needs.couponId),
  ]);
  return freshOffersOf(needs, views, coupon?.left ? coupon.coupon : null);
}

const freshOffersOf = (
  needs: RepriceNeeds,
  { version, views }: SellableViews,
  coupon: FreshOffers['coupon'],
): FreshOffers => ({
  version,
  offers: needs.lines.map(({ id, productId, options }) => {
    const view = views.get(productId);
    // Canonical JSON, written by offerOf().
    const chosen = JSON.parse(options) as Options;
    return { line: id, offer: view ? resolveOffer(view, chosen, now()) : null };
  }),
  couponId: needs.couponId,
  coupon,
});

/** Returns the tenant's pricing settings from the database. */
export async function readPricingContext(ctx: TenantDatabase): Promise<PricingContext> {
  const { catalogVersion, settings } = await tenantById(ctx);
  const pricing: PricingSettings = { tax: settings.tax, shipping: settings.shipping };
  return { version: catalogVersion, pricing: JSON.stringify(pricing) };
}
