import { z } from 'zod';
import type { EventType } from '../../../events/index.ts';
import { keysOf } from '../../../kernel/core/records.ts';
import {
  Choice,
  Field,
  type Filled,
  GroupedChecks,
  groupChecks,
  list,
  optionalText,
} from '../../../web/index.ts';
import type { Hook } from './find-hook.ts';

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
  'order.tracking_changed': ['Orders', "A parcel's tracking was added or changed"],
  'order.refunded': ['Orders', 'A refund succeeded'],
  'product.updated': ['Catalogue', 'A product was created, changed or deleted'],
  'category.updated': ['Catalogue', 'A category was created, changed or deleted'],
  'stock.changed': ['Catalogue', 'Stock was sold, returned or adjusted'],
  'customer.created': ['Customers', 'A customer registered'],
  'customer.email_changed': ['Customers', 'A customer changed the e-mail address'],
  'cart.abandoned': ['Customers', 'A known customer left a filled cart'],
};

const EVENT_GROUPS = groupChecks(keysOf(EVENT_WORDS), EVENT_WORDS);

interface FieldsProps {
  readonly f: Filled;
  /** Null for a new webhook. */
  readonly known: Hook | null;
}

/** The fields of a webhook. */
export const WebhookFields = ({ f, known }: FieldsProps) => (
  <>
    <Field
      f={f}
      name="url"
      label="URL"
      type="url"
      value={known?.url}
      hint="An https URL on a public host"
      required
      maxlength={2048}
    />
    <Field
      f={f}
      name="description"
      label="Description"
      value={known?.description}
      hint="What it is for, for your team"
      maxlength={255}
    />
    <GroupedChecks f={f} name="events" legend="Events" groups={EVENT_GROUPS} checked={known?.events ?? []} />
    <Choice f={f} name="status" label="Status" options={STATUSES} value={known?.status ?? 'active'} />
    <Choice f={f} name="ordered" label="Order" options={ORDERS} value={String(known?.ordered ?? false)} />
  </>
);

/** The form that registers or changes a webhook. Its conditions have pages of their own. */
export const Registration = z.object({
  url: z.string().trim(),
  description: optionalText.optional(),
  events: list.refine((events) => events.length > 0, 'Choose at least one event'),
  status: z.string(),
  ordered: z
    .enum(['true', 'false'])
    .optional()
    .transform((choice) => choice && choice === 'true'),
});
