import type { z } from '@hono/zod-openapi';
import { iso } from '../kernel/core/clock.ts';
import { divideHalfUp, toNumber } from '../kernel/values/money.ts';
import type { Period, Window } from './period.ts';
import { type CallsPart, type Counts, PREVIOUS, type SalesPart } from './read.ts';
import type { Insights } from './schemas.ts';

type Shown = z.output<typeof Insights>;

interface Sums {
  readonly sales: number;
  readonly orders: number;
  readonly abandoned: number;
}

/** Sums up the parts of a currency, in minor units. */
const sumOf = (parts: readonly SalesPart[]): Sums => ({
  sales: parts.reduce((sum, { sales }) => sum + sales, 0),
  orders: parts.reduce((sum, { orders }) => sum + orders, 0),
  abandoned: parts.reduce((sum, { abandoned }) => sum + abandoned, 0),
});

const presentSums = (currency: string, { sales, orders, abandoned }: Sums) => ({
  sales: toNumber(sales, currency),
  orders,
  average_order: orders > 0 ? toNumber(divideHalfUp(sales, orders), currency) : null,
  abandoned_carts: abandoned,
});

/** Returns the beginning of each part of the period. */
const startsOf = ({ from, width, parts }: Window): string[] =>
  Array.from({ length: parts }, (_, part) => iso(from + part * width));

function presentSales(currency: string, counted: readonly SalesPart[], window: Window) {
  const inCurrency = counted.filter((one) => one.currency === currency);
  const current = inCurrency.filter((one) => !isPrevious(one));
  return {
    currency,
    ...presentSums(currency, sumOf(current)),
    previous: presentSums(currency, sumOf(inCurrency.filter(isPrevious))),
    parts: startsOf(window).map((from, part) => {
      const { sales, orders } = sumOf(current.filter((one) => one.part === part));
      return { from, sales: toNumber(sales, currency), orders };
    }),
  };
}

const isPrevious = ({ part }: { readonly part: number }): boolean => part === PREVIOUS;

const presentCalls = (counted: readonly Omit<CallsPart, 'part'>[]) => ({
  calls: counted.reduce((sum, { calls }) => sum + calls, 0),
  client_errors: counted.reduce((sum, { clientErrors }) => sum + clientErrors, 0),
  server_errors: counted.reduce((sum, { serverErrors }) => sum + serverErrors, 0),
});

/** The period that counts are of. */
interface CountedPeriod {
  readonly period: Period;
  readonly window: Window;
  /** The tenant's main currency, which is shown first. */
  readonly currency: string;
  /** When the counts were read (ms). */
  readonly at: number;
}

/** Presents the counts of a period. */
export function presentInsights(counts: Counts, { period, window, currency, at }: CountedPeriod): Shown {
  const others = counts.sales.map((one) => one.currency).filter((one) => one !== currency);
  const current = counts.calls.filter((one) => !isPrevious(one));
  return {
    period,
    from: iso(window.from),
    to: iso(at),
    previous_from: iso(window.from - window.shift),
    sales: [currency, ...[...new Set(others)].sort()].map((one) => presentSales(one, counts.sales, window)),
    best_sellers: counts.bestSellers.map(({ sku, productId, name, units }) => ({
      sku,
      product_id: productId,
      name,
      units,
    })),
    api: {
      ...presentCalls(current),
      previous: presentCalls(counts.calls.filter(isPrevious)),
      parts: startsOf(window).map((from, part) => ({
        from,
        ...presentCalls(current.filter((one) => one.part === part)),
      })),
      applications: counts.applications.map(({ applicationId, ...sums }) => ({
        application_id: applicationId,
        ...presentCalls([sums]),
      })),
    },
  };
}
