import {
  readSellableViews,
  type SellableView,
  type SellableViews,
  sellableView,
} from '../../catalog/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { type Database, database } from '../../kernel/data/database.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import { cachedCoupon, cartCouponById } from '../../promotions/index.ts';
import type { FreshOffers, RepriceNeeds } from '../object/reprice.ts';
import type { Options } from '../options/options.ts';
import { resolveOffer } from '../options/resolve.ts';

/** Beyond so many products one batch is quicker than a look into the cache for each. */
const MANY = 20;

const productIds = ({ lines }: RepriceNeeds): number[] => [
  ...new Set(lines.map(({ productId }) => productId)),
];

/** What a cart needs, as of a catalogue version or a newer one: through the catalogue's cache. */
export async function lookUp(
  call: CatalogReader,
  needs: RepriceNeeds,
  version: number,
): Promise<FreshOffers> {
  const ids = productIds(needs);
  const { couponId } = needs;
  const [views, coupon] = await Promise.all([
    ids.length > MANY ? manyViews(call, ids, version) : cachedViews(call, ids, version),
    couponId === null ? null : cachedCoupon(call, couponId, version),
  ]);
  // Where nothing was found nobody says how new that is: the lease's version is one that exists.
  const versions = [views.version, coupon?.version ?? Number.POSITIVE_INFINITY];
  const oldest = Math.min(...versions);
  const read = Number.isFinite(oldest) ? oldest : call.caller.catalogVersion;
  return refreshOf(needs, { version: read, views: views.views }, coupon?.coupon ?? null);
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

async function manyViews(
  { env, caller }: CatalogReader,
  ids: readonly number[],
  version: number,
): Promise<SellableViews> {
  const near = await readSellableViews(database(env, 'nearest'), caller.tenantId, ids);
  return near.version < version ? readSellableViews(database(env), caller.tenantId, ids) : near;
}

/** What a cart needs, as it is this moment. A coupon that is used up counts as gone. */
export async function lookUpNow(db: Database, tenantId: number, needs: RepriceNeeds): Promise<FreshOffers> {
  const [views, coupon] = await Promise.all([
    readSellableViews(db, tenantId, productIds(needs)),
    needs.couponId === null ? null : cartCouponById(db, tenantId, needs.couponId),
  ]);
  return refreshOf(needs, views, coupon?.left ? coupon.coupon : null);
}

const refreshOf = (
  needs: RepriceNeeds,
  { version, views }: SellableViews,
  coupon: FreshOffers['coupon'],
): FreshOffers => ({
  version,
  offers: needs.lines.map(({ id, productId, options }) => {
    const view = views.get(productId);
    // Canonical JSON of the options that the line was made with.
    const chosen = JSON.parse(options) as Options;
    return { line: id, offer: view ? resolveOffer(view, chosen, now()) : null };
  }),
  couponId: needs.couponId,
  coupon,
});
