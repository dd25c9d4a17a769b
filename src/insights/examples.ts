import type { Example } from '../kernel/openapi/example.ts';
import type { Insights, InsightsQuery } from './schemas.ts';

const hour = (n: number): string =>
  `2026-11-${n < 15 ? 22 : 23}T${String((n + 9) % 24).padStart(2, '0')}:00:00.000Z`;
const idle = { calls: 0, client_errors: 0, server_errors: 0 };

/** An example of a day in which little happened. */
export const insightsExample = (): Example<{ query: typeof InsightsQuery; answer: typeof Insights }> => ({
  query: { period: '24h' },
  answer: {
    period: '24h',
    from: hour(0),
    to: '2026-11-23T08:31:12.744Z',
    previous_from: '2026-11-21T09:00:00.000Z',
    sales: [
      {
        currency: 'EUR',
        sales: 61.7,
        orders: 2,
        average_order: 30.85,
        abandoned_carts: 1,
        previous: { sales: 24.9, orders: 1, average_order: 24.9, abandoned_carts: 0 },
        parts: Array.from({ length: 24 }, (_, n) => ({
          from: hour(n),
          sales: n === 2 ? 61.7 : 0,
          orders: n === 2 ? 2 : 0,
        })),
      },
    ],
    best_sellers: [{ sku: 'ESP-250', product_id: 7, name: 'Espresso Forte', units: 3 }],
    api: {
      calls: 412,
      client_errors: 6,
      server_errors: 0,
      previous: { calls: 388, client_errors: 2, server_errors: 0 },
      parts: Array.from({ length: 24 }, (_, n) => ({
        from: hour(n),
        ...idle,
        ...(n === 2 ? { calls: 412, client_errors: 6 } : {}),
      })),
      applications: [{ application_id: 2, calls: 412, client_errors: 6, server_errors: 0 }],
    },
  },
});
