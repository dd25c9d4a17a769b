import type { z } from 'zod';
import type { LowStock } from '../../catalog/index.ts';
import type { Insights } from '../../insights/index.ts';
import { groupDigits } from '../../kernel/text/text.ts';
import { clip, Section, Table } from '../../web/index.ts';
import type { App } from './applications-of.ts';

/** Rows of each list on the overview. */
export const LIST_LENGTH = 5;
const NAME_LENGTH = 40;

/** What the overview shows of a period. */
export type Shown = z.output<typeof Insights>;

/** The best sellers of the period. */
export const BestSellers = ({ of }: { of: Shown['best_sellers'] }) => (
  <Section id="best" title="Best sellers">
    <Table
      label="Best sellers by units"
      head={['Product', 'SKU', 'Units']}
      figures={[2]}
      rows={of.map(({ product_id, name, sku, units }) => [
        <a href={`/developer/products/${product_id}`}>{clip(name, NAME_LENGTH)}</a>,
        sku,
        groupDigits(units),
      ])}
      empty={<p>Nothing was sold in this period.</p>}
    />
  </Section>
);

interface RunningOutProps {
  readonly of: z.output<typeof LowStock>['data'];
  /** The highest quantity that is low. */
  readonly threshold: number;
}

/** What is about to run out. */
export const RunningOut = ({ of, threshold }: RunningOutProps) => (
  <Section id="low" title="Low stock">
    <Table
      label={`Products of which at most ${groupDigits(threshold)} are left`}
      head={['Product', 'SKU', 'Stock']}
      figures={[2]}
      rows={of.map(({ product_id, name, sku, stock }) => [
        <a href={`/developer/products/${product_id}`}>{clip(name, NAME_LENGTH)}</a>,
        sku,
        groupDigits(stock),
      ])}
      empty={<p>There are more than {groupDigits(threshold)} of everything.</p>}
    />
  </Section>
);

/** The calls of the busiest applications, each with a link to its log. */
export const CallsByApplication = ({
  of,
  all,
}: {
  of: Shown['api']['applications'];
  all: readonly App[];
}) => (
  <Section id="calls" title="API calls by application">
    <Table
      label="API calls"
      head={['Application', 'Calls', 'Client errors', 'Server errors']}
      figures={[1, 2, 3]}
      rows={of
        .slice(0, LIST_LENGTH)
        .map(({ application_id, calls, client_errors, server_errors }) => [
          <a href={`/developer/request-log?application=${application_id}`}>
            {clip(all.find(({ id }) => id === application_id)?.name ?? 'unknown', NAME_LENGTH)}
          </a>,
          groupDigits(calls),
          groupDigits(client_errors),
          groupDigits(server_errors),
        ])}
      empty={
        <p>
          No calls in this period. <a href="/developer/quick-start">Make the first one</a>
        </p>
      }
    />
  </Section>
);
