import { capitalized } from '../../../kernel/text/text.ts';
import { mayOpen, type PageRequest, Section, Table } from '../../../web/index.ts';
import { filterKeysOf } from '../../../webhooks/index.ts';
import { commaSeparated } from '../../comma-separated.ts';
import type { Hook } from './find-hook.ts';

/** What the keys of a webhook's filter are called here, where their own names don't say it. */
const KEY_TITLES: Readonly<Record<string, string>> = {
  product_id: 'Products',
  category_id: 'Categories',
  parent_id: 'Categories directly below',
  variant_id: 'Variants',
  customer_id: 'Customers',
  sku: 'SKUs',
  agent: 'Shopping agents',
  changed: 'Changed fields',
};

/** Returns the title of a filter key: `payment_status` → "Payment status". */
export const keyTitle = (key: string): string => KEY_TITLES[key] ?? capitalized(key.replaceAll('_', ' '));

/** Values of a condition that its row names. */
const MAX_NAMED = 3;

/** Returns what a condition asks for: its values, or the number of ids. */
function valuesText(values: readonly (string | number)[]): string {
  if (values.some((value) => typeof value === 'number')) return `${values.length} chosen`;
  const more = values.length - MAX_NAMED;
  return values.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

interface ConditionsProps {
  readonly request: PageRequest;
  /** Path of the webhook's page. */
  readonly here: string;
  readonly hook: Pick<Hook, 'events' | 'filter'>;
}

/** The conditions that a webhook's events must meet, and links to the pages that change and add them. */
export const Conditions = ({ request, here, hook: { events, filter } }: ConditionsProps) => {
  const linkOf = (key: string) => {
    const [title, href] = [keyTitle(key), `${here}/conditions/${key}`];
    return mayOpen(request, href) ? <a href={href}>{title}</a> : <span>{title}</span>;
  };
  const keys = filterKeysOf(events);
  const set = Object.entries(filter ?? {});
  const others = keys.filter((key) => filter?.[key] === undefined);
  return (
    <Section id="conditions" title="Conditions">
      {set.length > 0 && (
        <Table
          label="Conditions"
          head={['Field', 'One of']}
          rows={set.map(([key, values]) => [linkOf(key), valuesText(values)])}
        />
      )}
      <p class="hint">
        {set.length > 0
          ? 'An event is sent if it meets each condition whose field it has.'
          : 'All events are sent.'}{' '}
        Further fields: {commaSeparated(others.map(linkOf))}
      </p>
    </Section>
  );
};
