import { z } from '@hono/zod-openapi';
import type { EventType } from '../events/index.ts';
import { text } from '../kernel/text/text.ts';
import { isCurrency } from '../kernel/values/currencies.ts';
import type { WebhookFilter } from './tables.ts';

/** The most keys of a filter, and the most values of one key. */
const MAX_FILTER_KEYS = 10;
const MAX_FILTER_VALUES = 100;

/** The keys of an event type's filter, each with the path of its values in the event's data. */
type FilterKeys = Readonly<Record<string, string>>;

const ORDER: FilterKeys = {
  status: 'status',
  payment_status: 'payment_status',
  currency: 'currency',
  customer_id: 'customer.id',
  agent: 'agent.profile',
  product_id: 'items.product_id',
  sku: 'items.sku',
};

/** The filter keys of the event types that begin so. */
const KEYS: readonly (readonly [prefix: string, keys: FilterKeys])[] = [
  ['order.', ORDER],
  [
    'product.',
    {
      product_id: 'id',
      sku: 'sku',
      category_id: 'category_ids',
      type: 'type',
      status: 'status',
      changed: 'changed',
    },
  ],
  ['category.', { category_id: 'id', parent_id: 'parent_id', changed: 'changed' }],
  ['stock.', { product_id: 'product_id', variant_id: 'variant_id', sku: 'sku', reason: 'reason' }],
  ['customer.created', { customer_id: 'id' }],
  ['customer.email_changed', { customer_id: 'customer_id' }],
  [
    'cart.',
    { customer_id: 'customer_id', currency: 'currency', product_id: 'items.product_id', sku: 'items.sku' },
  ],
];

/** The values of the keys that have an enumeration, or a test of the values, by the beginning of the event types. */
const VALUES: Readonly<Record<string, readonly string[] | ((value: string) => boolean)>> = {
  'order.status': ['pending', 'paid', 'cancelled'],
  'order.payment_status': ['unpaid', 'paid', 'partially_refunded', 'refunded'],
  'order.currency': isCurrency,
  'product.type': ['simple', 'configurable', 'virtual', 'downloadable', 'grouped', 'bundled', 'booking'],
  'product.status': ['active', 'inactive'],
  'cart.currency': isCurrency,
};

const prefixOf = (type: string): string | undefined =>
  KEYS.map(([prefix]) => prefix).find((prefix) => type.startsWith(prefix));

/** Returns the filter keys of an event type. */
const keysFor = (type: string): FilterKeys => KEYS.find(([prefix]) => prefix === prefixOf(type))?.[1] ?? {};

/**
 * Returns whether an event of this type can have a value at a key; true for a value of a key that has no enumeration.
 */
function isPossible(type: string, key: string, value: string | number): boolean {
  if (keysFor(type)[key] === undefined) return false;
  const values = VALUES[`${prefixOf(type)}${key}`];
  if (values === undefined) return true;
  return typeof values === 'function' ? values(String(value)) : values.some((one) => one === value);
}

/** Returns every value at a path of nested objects; arrays on the way count with each of their elements. */
function valuesAt(part: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(part)) return part.flatMap((one) => valuesAt(one, path));
  const [name, ...rest] = path;
  if (name === undefined) return [part];
  // Any object can be read by name.
  return typeof part === 'object' && part !== null
    ? valuesAt((part as Record<string, unknown>)[name], rest)
    : [];
}

/** The part of an event that filters read. */
interface FilteredEvent {
  readonly type: string;
  readonly data: unknown;
}

/**
 * Returns whether a webhook with this filter gets an event: for each key that the event's type has, the event
 * must have one of the values. A test event matches always.
 */
export function matchesFilter(filter: WebhookFilter | null, { type, data }: FilteredEvent): boolean {
  const keys = keysFor(type);
  return Object.entries(filter ?? {}).every(([key, wanted]) => {
    const path = keys[key];
    // A value of another kind than the wanted ones is just not among them.
    return (
      path === undefined || valuesAt(data, path.split('.')).some((value) => wanted.includes(value as never))
    );
  });
}

/** Returns the filter keys that events of these types have, each once. */
export const filterKeysOf = (events: readonly EventType[]): string[] => [
  ...new Set(events.flatMap((type) => Object.keys(keysFor(type)))),
];

/** Returns why a filter doesn't suit these events, or null. */
export function filterProblem(filter: WebhookFilter, events: readonly EventType[]): string | null {
  const known = filterKeysOf(events);
  const unknown = Object.keys(filter).find((key) => !known.includes(key));
  if (unknown !== undefined) return `has no key "${unknown}" for these events, only ${known.join(', ')}`;
  for (const [key, values] of Object.entries(filter)) {
    const wrong = values.find((value) => !events.some((type) => isPossible(type, key, value)));
    if (wrong !== undefined)
      return `has the value "${wrong}" of "${key}", which none of these events can have`;
  }
  return null;
}

/** Returns whether a key's values are ids. */
const namesIds = (key: string): boolean => key.endsWith('_id');

/** Strings are trimmed, as the texts of events are. */
const Values = z.union([z.array(text(255)), z.array(z.int().min(1))], {
  error: `must be a list of 1 to ${MAX_FILTER_VALUES} strings, or of ids for a key that ends in _id`,
});

/** A filter as it is written: which keys suit is checked with the webhook's events. */
export const Filter = z
  .record(z.string(), Values)
  .superRefine((filter, context) => {
    const entries = Object.entries(filter);
    if (entries.length < 1 || entries.length > MAX_FILTER_KEYS) {
      context.addIssue({ code: 'custom', message: `must have 1 to ${MAX_FILTER_KEYS} keys` });
    }
    for (const [key, values] of entries) {
      const kind = namesIds(key) ? 'number' : 'string';
      const isSuited = values.every((value: string | number) => typeof value === kind);
      if (isSuited && values.length > 0 && values.length <= MAX_FILTER_VALUES) continue;
      const what = kind === 'number' ? 'ids' : 'strings';
      context.addIssue({ code: 'custom', path: [key], message: `must be 1 to ${MAX_FILTER_VALUES} ${what}` });
    }
  })
  .openapi({
    type: 'object',
    minProperties: 1,
    maxProperties: MAX_FILTER_KEYS,
    additionalProperties: {
      type: 'array',
      items: { type: ['string', 'integer'] },
      minItems: 1,
      maxItems: MAX_FILTER_VALUES,
    },
    example: { sku: ['A', 'B'] },
  });

/** API text that lists the filter keys by event type. */
export const FILTER_KEYS_TEXT = KEYS.map(
  ([prefix, keys]) =>
    `\`${prefix}${prefix.endsWith('.') ? '*' : ''}\`: ${Object.keys(keys)
      .map((key) => `\`${key}\``)
      .join(', ')}`,
).join('; ');
