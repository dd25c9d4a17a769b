import { now } from '../kernel/core/clock.ts';
import { ok } from '../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { insightsExample } from './examples.ts';
import { windowOf } from './period.ts';
import { presentInsights } from './present.ts';
import { readCounts } from './read.ts';
import { Insights, InsightsQuery } from './schemas.ts';

const get = endpoint(
  {
    method: 'get',
    path: '/v1/insights',
    id: 'getInsights',
    tag: 'Insights',
    summary: 'Get sales, best sellers and API calls of a period',
    description:
      'The counts are kept as orders, carts and calls come in. The period before is included for comparison. A sale counts in the hour in which its order was paid, and refunds and cancellations correct that hour. Test orders count. Each currency is counted separately.',
    access: 'orders:read',
    query: InsightsQuery,
    answer: Insights,
    readsMany: true,
    example: insightsExample,
  },
  async (call) => {
    const { period } = call.query;
    const at = now();
    const window = windowOf(period, at);
    const counts = await readCounts(call, period, window);
    return ok(presentInsights(counts, { period, window, currency: call.caller.currency, at }));
  },
);

/** The endpoint for the counts of a period. */
export const insightsEndpoints: readonly Endpoint[] = [get];
