import { forgetAudit, forwardAudit } from '../audit/index.ts';
import {
  forgetListChanges,
  forgetPrices,
  forgetProducts,
  rankBestSellers,
  resumeIndexing,
  resumeRelistings,
  resumeSales,
} from '../catalog/index.ts';
import { expireOrders, forgetCheckouts, retryNotices, retryRefunds } from '../checkout/index.ts';
import {
  finishErasures,
  forgetErased,
  forgetResets,
  forgetSessions,
  forgetUnreached,
} from '../customers/index.ts';
import {
  forgetDeadLetters,
  forgetEvents,
  forgetFailures,
  measureShard,
  relayLostEvents,
} from '../events/index.ts';
import { forgetImports, resumeImports } from '../imports/index.ts';
import {
  forgetCallDays,
  forgetCallHours,
  forgetItemDays,
  forgetItemHours,
  forgetSales,
} from '../insights/index.ts';
import { beginSlots, expireReservations, forgetMovements, forgetReservations } from '../inventory/index.ts';
import { type Chore, type ShardContext, type Sweep, sweepAll } from '../kernel/data/chore.ts';
import { forgetOldKeys } from '../kernel/data/idempotency-keys.ts';
import { endUnfinishedMedia } from '../media/index.ts';
import { advanceMoves, forgetMoves } from '../moves/index.ts';
import { forgetAbandonedOrders } from '../orders/index.ts';
import { forgetGuesses, forgetPromotions } from '../promotions/index.ts';
import { forgetGoneDocuments, forgetWords } from '../search/index.ts';
import { endCreations, followStock, settleClaims } from '../tenants/index.ts';
import { forgetKeys } from '../ucp/index.ts';
import { forgetPanelGuesses, forgetPanelSessions } from '../web/index.ts';
import { forgetPlatforms } from '../webhooks/index.ts';

/** What expires on the directory and on the shards alike. */
const COMMON_SWEEPS = {
  oldIdempotencyKeys: forgetOldKeys,
  oldAuditEntries: forgetAudit,
} satisfies Readonly<Record<string, Sweep>>;

/** What expires on each shard. */
const SHARD_SWEEPS: Readonly<Record<string, Sweep>> = {
  oldCheckouts: forgetCheckouts,
  oldSessions: forgetSessions,
  oldPasswordResets: forgetResets,
  erasedCustomers: forgetErased,
  unreachedCarts: forgetUnreached,
  oldCouponGuesses: forgetGuesses,
  endedPrices: forgetPrices,
  oldListChanges: forgetListChanges,
  releasedReservations: forgetReservations,
  oldMovements: forgetMovements,
  oldEvents: forgetEvents,
  oldSalesHours: forgetSales,
  oldCallHours: forgetCallHours,
  oldCallDays: forgetCallDays,
  oldItemHours: forgetItemHours,
  oldItemDays: forgetItemDays,
  endedUcpKeys: forgetKeys,
  ...COMMON_SWEEPS,
};

/** What expires on the directory. */
const DIRECTORY_SWEEPS: Readonly<Record<string, Sweep>> = {
  oldMoves: forgetMoves,
  oldPanelSessions: forgetPanelSessions,
  oldPanelGuesses: forgetPanelGuesses,
  oldDeadLetters: forgetDeadLetters,
  oldQueueFailures: forgetFailures,
  ...COMMON_SWEEPS,
};

/** The background work of every minute on each shard: resumes work interrupted by a crash, and deletes expired data. */
export const SHARD_CHORES: Readonly<Record<string, Chore<ShardContext>>> = {
  shardMeasure: measureShard,
  events: relayLostEvents,
  stock: followStock,
  search: resumeIndexing,
  sales: resumeSales,
  slots: beginSlots,
  reservations: expireReservations,
  orders: expireOrders,
  refunds: retryRefunds,
  cartNotices: retryNotices,
  erasures: finishErasures,
  imports: resumeImports,
  relistings: resumeRelistings,
  bestSellers: rankBestSellers,
  oldImports: forgetImports,
  deletedPromotions: forgetPromotions,
  deletedProducts: forgetProducts,
  unfinishedMedia: endUnfinishedMedia,
  goneDocuments: forgetGoneDocuments,
  unusedWords: forgetWords,
  abandonedOrders: forgetAbandonedOrders,
  endedPlatforms: forgetPlatforms,
  expired: sweepAll(SHARD_SWEEPS),
};

/** The background work of every minute on the directory. */
export const DIRECTORY_CHORES: Readonly<Record<string, Chore>> = {
  tenantCreations: endCreations,
  tenantHosts: settleClaims,
  auditEntries: forwardAudit,
  moves: advanceMoves,
  expired: sweepAll(DIRECTORY_SWEEPS),
};
