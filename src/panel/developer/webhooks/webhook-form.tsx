import { z } from 'zod';
import type { EventType } from '../../../events/index.ts';
import {
  Area,
  type CheckGroup,
  Choice,
  Field,
  type Filled,
  type FormError,
  GroupedChecks,
  lines,
  list,
  type Outcome,
  optionalText,
  Rows,
  rowsOf,
} from '../../../web/index.ts';
import { FILTER_KEYS, namesIds, type Webhook } from '../../../webhooks/index.ts';

const STATUSES = [
  ['active', 'Active'],
  ['paused', 'Paused: events are held for 30 days'],
] as const;

const ORDERS = [
  ['false', 'Events are sent as they come'],
  ['true', 'Events of one resource wait for the one before'],
] as const;

/** What each event reports. */
const EVENT_WORDS: Readonly<Record<EventType, readonly [group: string, words: string]>> = {
  'order.created': ['Orders', 'An order was placed'],
  'order.paid': ['Orders', 'An order was paid'],
  'order.cancelled': ['Orders', 'An order was cancelled'],
  'order.fulfilled': ['Orders', 'A parcel was sent'],
  'order.refunded': ['Orders', 'A refund succeeded'],
  'product.updated': ['Catalogue', 'A product was created, changed or deleted'],
  'category.updated': ['Catalogue', 'A category was created, changed or deleted'],
  'stock.changed': ['Catalogue', 'Stock was sold, returned or adjusted'],
  'customer.created': ['Customers', 'A customer registered'],
  'customer.email_changed': ['Customers', 'A customer changed the e-mail address'],
  'cart.abandoned': ['Customers', 'A known customer left a filled cart'],
};

const EVENT_GROUPS: readonly CheckGroup[] = ['Orders', 'Catalogue', 'Customers'].map((title) => ({
  title,
  options: Object.entries(EVENT_WORDS).flatMap(([event, [group, words]]) =>
    group === title ? [[event, words] as const] : [],
  ),
}));

type Known = Pick<
  z.output<typeof Webhook>,
  'url' | 'description' | 'events' | 'filter' | 'status' | 'ordered'
>;

/** A webhook before it is registered. */
export const NEW_WEBHOOK: Known = {
  ...{ url: '', description: null, events: [], filter: null, status: 'active', ordered: false },
};

/** The fields of a webhook. */
export const WebhookFields = ({ f, known }: { readonly f: Filled; readonly known: Known }) => (
  <>
    <Field
      f={f}
      name="url"
      label="URL"
      type="url"
      value={known.url}
      hint="An https URL on a public host"
      required
      attributes={{ maxlength: 2048 }}
    />
    <Field
      f={f}
      name="description"
      label="Description"
      value={known.description ?? ''}
      hint="What it is for, for your team"
      attributes={{ maxlength: 255 }}
    />
    <GroupedChecks f={f} name="events" legend="Events" groups={EVENT_GROUPS} checked={known.events} />
    <Filter f={f} known={known} />
    <Choice f={f} name="status" label="Status" options={STATUSES} value={known.status} />
    <Choice f={f} name="ordered" label="Order" options={ORDERS} value={String(known.ordered)} />
  </>
);

const KEY_OPTIONS = FILTER_KEYS.map((key) => [key, words(key)] as const);

/** `product_id` → `Product id`. */
function words(key: string): string {
  const spaced = key === 'sku' ? 'SKU' : key.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The conditions that an event must meet, one row for each key. */
const Filter = ({ f, known }: { readonly f: Filled; readonly known: Known }) => (
  <Rows
    f={f}
    name="filter"
    legend="Only events that match"
    one="condition"
    hint="Each condition must hold for events that have its field. Without conditions all events are sent."
    rows={Object.entries(known.filter ?? {})}
    counted={['values']}
    spare={0}
    full={Object.keys(known.filter ?? {}).length >= FILTER_KEYS.length}
  >
    {({ f: rowForm, at, row }) => (
      <>
        <Choice f={rowForm} name={at('key')} label="Field" options={KEY_OPTIONS} value={row?.[0] ?? 'sku'} />
        <Area
          f={rowForm}
          name={at('values')}
          label="Is one of (one per line)"
          value={row?.[1].join('\n') ?? ''}
        />
      </>
    )}
  </Rows>
);

const Condition = z.object({ key: z.string(), values: lines });

/** The form that registers or changes a webhook. */
export const Registration = z.object({
  url: z.string().trim(),
  description: optionalText.optional(),
  events: list.refine((events) => events.length > 0, 'Choose at least one event'),
  filter: rowsOf(Condition, ['values']).transform(filterOf),
  status: z.string(),
  ordered: z
    .enum(['true', 'false'])
    .optional()
    .transform((choice) => choice && choice === 'true'),
});

/** Returns the filter of rows of conditions, or null without any. Ids are numbers; other texts the API refuses. */
function filterOf(rows: readonly z.output<typeof Condition>[]): Record<string, (string | number)[]> | null {
  const filter = new Map<string, (string | number)[]>();
  for (const { key, values } of rows) {
    const read = values.map((value) => (namesIds(key) && /^\d{1,15}$/.test(value) ? Number(value) : value));
    filter.set(key, [...(filter.get(key) ?? []), ...read]);
  }
  return filter.size > 0 ? Object.fromEntries(filter) : null;
}

/** Returns the API's refusal with the errors of filter keys at the conditions as a whole. */
export function withFilterErrors({ trouble }: { readonly trouble: FormError }): Outcome {
  const errors = Object.entries(trouble.errors);
  const ofFilter = errors.filter(([field]) => field.startsWith('filter.'));
  if (ofFilter.length === 0) return { trouble };
  const messages = ofFilter.flatMap(([field, texts]) =>
    texts.map((text) => `${words(field.slice(7))} ${text}`),
  );
  const others = errors.filter(([field]) => !field.startsWith('filter.'));
  return { trouble: { ...trouble, errors: { ...Object.fromEntries(others), filter: messages } } };
}
