import type { z } from 'zod';
import { Form, type PageRequest, Section, State, Table, When } from '../../web/index.ts';
import { DELIVERY_STATUSES, type Deliveries } from '../../webhooks/index.ts';
import { countOf } from '../count-of.ts';
import { FilterSelect, ListFilters } from '../search-form.tsx';

type Sent = z.output<typeof Deliveries>;
type Delivery = Sent['data'][number];

/** Deliveries on one page of the log: as many as fit with the attempts of each. */
export const LOG_SHOWN = 8;
/** Latest attempts shown for each delivery. */
const MAX_ATTEMPTS_SHOWN = 3;

/** Returns the result of an attempt: the status, why it failed, or that it is in progress. */
export const resultOf = ({ response_status, error }: Delivery['log'][number]): string =>
  [response_status, inWords(error)].filter(Boolean).join(' ') || 'in progress';

/** Returns the API's error of an attempt in words: `no_connection` as "no connection". */
const inWords = (error: string | null | undefined): string | undefined => error?.replaceAll('_', ' ');

/** The number of attempts, which expands to the latest ones. */
const Attempts = ({ of }: { of: Delivery }) =>
  of.log.length === 0 ? (
    <span>{of.attempts}</span>
  ) : (
    <details>
      <summary aria-label={`${countOf(of.attempts, 'attempt')} of ${of.event_id}`}>{of.attempts}</summary>
      <ol>
        {of.log.slice(-MAX_ATTEMPTS_SHOWN).map((attempt) => (
          <li>
            <When at={attempt.started_at} />: {resultOf(attempt)}
            {attempt.duration_ms !== null && `, ${attempt.duration_ms} ms`}
          </li>
        ))}
      </ol>
    </details>
  );

/** The filters of the log. */
export const LOG_FILTERS = ['event', 'status'] as const;

interface FilterProps {
  /** Path of the webhook's page. */
  readonly here: string;
  /** The webhook's events. */
  readonly events: readonly string[];
  /** The given filters. */
  readonly filters: Readonly<Record<string, string>>;
}

const Filter = ({ here, events, filters: { event = '', status = '' } }: FilterProps) => {
  // Deliveries of events that the webhook no longer has are found by the address alone.
  const names = [...new Set([...events, 'ping', ...(event ? [event] : [])])];
  return (
    <ListFilters action={here}>
      <FilterSelect name="event" label="Event" options={[['', 'Any'], ...names]} value={event} />
      <FilterSelect
        name="status"
        label="Status"
        options={[['', 'Any'], ...DELIVERY_STATUSES]}
        value={status}
      />
    </ListFilters>
  );
};

interface LogProps extends FilterProps {
  readonly request: PageRequest;
  readonly sent: Sent;
}

/** Deliveries, newest first, each with a button that replays it. */
export const Log = ({ request, here, events, sent, filters }: LogProps) => (
  <Section id="deliveries" title="Deliveries">
    <Filter here={here} events={events} filters={filters} />
    <Table
      label="List of deliveries"
      head={['Event', 'Status', 'Occurred', 'Last response', 'Attempts', 'Replay']}
      rows={sent.data.map((delivery) => [
        <>
          <a
            class="together"
            href={`${here}/deliveries/${delivery.id}`}
            aria-label={`${delivery.event} ${delivery.event_id}`}
          >
            {delivery.event}
          </a>{' '}
          <code class="hint">{delivery.event_id}</code>
        </>,
        <State is={delivery.status} />,
        <When at={delivery.occurred_at} />,
        delivery.response_status ?? inWords(delivery.log.at(-1)?.error) ?? 'none',
        <Attempts of={delivery} />,
        <Form
          request={request}
          action={`${here}/deliveries/${delivery.id}/replay`}
          submit="Send again"
          about={`${delivery.event} ${delivery.event_id}`}
          quiet
        />,
      ])}
      empty={
        Object.keys(filters).length > 0 ? (
          <p>
            No delivery matches. <a href={here}>Show all deliveries</a>
          </p>
        ) : (
          <p>No deliveries yet. Send a test event to try it.</p>
        )
      }
      pages={{
        meta: sent.meta,
        href: (to) => `${here}?${new URLSearchParams({ page: String(to), ...filters })}`,
      }}
    />
  </Section>
);
