import type { Feature } from '../kernel/core/scopes.ts';
import { groupDigits } from '../kernel/text/text.ts';

/**
 * The resources that a plan limits. `products` counts products and their variants, `media` uploaded images,
 * `media_bytes` their bytes.
 */
export const QUOTAS = [
  'applications',
  'products',
  'categories',
  'webhooks',
  'promotions',
  'media',
  'media_bytes',
  'feeds',
] as const;
/** One of {@link QUOTAS}. */
export type Quota = (typeof QUOTAS)[number];

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Formats an amount of a quota: "1,000", "2,048 MiB". */
export const formatQuota = (quota: Quota, amount: number): string =>
  quota === 'media_bytes' ? `${groupDigits(Math.ceil(amount / MIB))} MiB` : groupDigits(amount);

/** The names of quotas behind an amount: "1,000 products", "2,048 MiB of images". */
export const QUOTA_NAMES: Readonly<Record<Quota, string>> = {
  applications: 'applications',
  products: 'products',
  categories: 'categories',
  webhooks: 'webhooks',
  promotions: 'promotions',
  media: 'images',
  media_bytes: 'of images',
  feeds: 'product feeds',
};

interface PlanTerms {
  readonly requestsPerMinute: number;
  /** The most customer registrations per minute. */
  readonly registrationsPerMinute: number;
  readonly features: readonly Feature[];
  readonly quotas: Readonly<Record<Quota, number>>;
}

/** The plans: requests per minute for each application, features, and quotas. */
export const PLANS = {
  starter: {
    requestsPerMinute: 600,
    registrationsPerMinute: 60,
    features: [],
    quotas: {
      applications: 10,
      products: 10_000,
      categories: 1_000,
      webhooks: 0,
      promotions: 100,
      media: 5_000,
      media_bytes: 1 * GIB,
      feeds: 2,
    },
  },
  growth: {
    requestsPerMinute: 1_200,
    registrationsPerMinute: 240,
    features: ['feed', 'webhooks', 'ucp'],
    quotas: {
      applications: 50,
      products: 100_000,
      categories: 5_000,
      webhooks: 20,
      promotions: 1_000,
      media: 50_000,
      media_bytes: 20 * GIB,
      feeds: 10,
    },
  },
  enterprise: {
    requestsPerMinute: 6_000,
    registrationsPerMinute: 1_200,
    features: ['feed', 'webhooks', 'ucp'],
    quotas: {
      applications: 200,
      products: 1_000_000,
      categories: 20_000,
      webhooks: 100,
      promotions: 10_000,
      media: 500_000,
      media_bytes: 200 * GIB,
      feeds: 10,
    },
  },
} as const satisfies Record<string, PlanTerms>;

/** The name of a plan. */
export type Plan = keyof typeof PLANS;
/** The plans, the smallest first. */
export const PLAN_NAMES = ['starter', 'growth', 'enterprise'] as const satisfies readonly Plan[];

const includes = (plan: Plan, wanted: Feature): boolean =>
  PLANS[plan].features.some((feature: Feature) => feature === wanted);

/** Returns whether shopping agents may buy from tenants of a plan. */
export const includesUcp = (plan: Plan): boolean => includes(plan, 'ucp');
/** Returns whether events are sent to the webhooks that tenants of a plan have registered. */
export const includesWebhooks = (plan: Plan): boolean => includes(plan, 'webhooks');
