import { z } from '@hono/zod-openapi';
import { PERIODS } from './period.ts';

export const InsightsQuery = z.object({
  period: z.enum(PERIODS).default('24h').openapi({
    description: 'The last 24 hours (by hour), or the last 7 or 30 days of UTC (by day), today included.',
  }),
});

const instant = z.iso.datetime();

/** Sums of a currency. */
const salesSums = {
  sales: z.number().openapi({
    description: 'The revenue of orders that were paid in this time, less their later refunds.',
    example: 1249.5,
  }),
  orders: z.int().openapi({
    description: 'Orders paid in this time, less those cancelled or refunded as a whole since.',
  }),
};

const SalesTotals = z.object({
  ...salesSums,
  average_order: z.number().nullable().openapi({ description: 'Sales by orders; null without orders.' }),
  abandoned_carts: z.int().openapi({ description: 'Carts reported by `cart.abandoned`.' }),
});

const callSums = {
  calls: z.int(),
  client_errors: z.int().openapi({ description: 'Responses with a 4xx status.' }),
  server_errors: z.int().openapi({ description: 'Responses with a 5xx status.' }),
};

/** Sales, best sellers and API calls of a period, compared with the one before. */
export const Insights = z
  .object({
    period: z.enum(PERIODS),
    from: instant,
    to: instant,
    previous_from: instant.openapi({
      description: 'The period before begins here and ends as much earlier than `to`.',
    }),
    sales: z
      .array(
        SalesTotals.extend({
          currency: z.string(),
          previous: SalesTotals,
          parts: z.array(z.object({ from: instant, ...salesSums })),
        }),
      )
      .openapi({
        description: 'One entry for the main currency, and for each other one in which something happened.',
      }),
    best_sellers: z.array(
      z.object({
        sku: z.string(),
        product_id: z.int(),
        name: z.string().openapi({ description: 'The name at its latest sale.' }),
        units: z.int(),
      }),
    ),
    api: z
      .object({
        ...callSums,
        previous: z.object(callSums),
        parts: z.array(z.object({ from: instant, ...callSums })),
        applications: z.array(z.object({ application_id: z.int(), ...callSums })),
      })
      .openapi({
        description:
          'Calls with a valid token, counted within about five minutes. The 20 busiest applications.',
      }),
  })
  .openapi('Insights');
