import type { Feature } from '../kernel/core/scopes.ts';

/** The resources whose number a plan limits. `products` counts products and their variants. */
export const QUOTAS = ['applications', 'products', 'categories', 'webhooks', 'promotions'] as const;
/** One of {@link QUOTAS}. */
export type Quota = (typeof QUOTAS)[number];

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
    quotas: { applications: 10, products: 10_000, categories: 1_000, webhooks: 0, promotions: 100 },
  },
  growth: {
    requestsPerMinute: 1_200,
    registrationsPerMinute: 240,
    features: ['feed', 'webhooks'],
    quotas: { applications: 50, products: 100_000, categories: 5_000, webhooks: 20, promotions: 1_000 },
  },
  enterprise: {
    requestsPerMinute: 6_000,
    registrationsPerMinute: 1_200,
    features: ['feed', 'webhooks'],
    quotas: { applications: 200, products: 1_000_000, categories: 20_000, webhooks: 100, promotions: 10_000 },
  },
} as const satisfies Record<string, PlanTerms>;

/** The name of a plan. */
export type Plan = keyof typeof PLANS;
export const PLAN_NAMES = ['starter', 'growth', 'enterprise'] as const satisfies readonly Plan[];
