import type { Feature } from '../kernel/scopes.ts';

/** What each plan allows: requests a minute for each application, and the parts of the service. */
export const PLANS = {
  starter: { requestsPerMinute: 600, features: [] },
  growth: { requestsPerMinute: 1_200, features: ['feed', 'webhooks'] },
  enterprise: { requestsPerMinute: 6_000, features: ['feed', 'webhooks'] },
} as const satisfies Record<string, { requestsPerMinute: number; features: readonly Feature[] }>;

/** The name of a plan. */
export type Plan = keyof typeof PLANS;
export const PLAN_NAMES = ['starter', 'growth', 'enterprise'] as const satisfies readonly Plan[];
