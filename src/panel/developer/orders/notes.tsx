import { z } from 'zod';
import type { Order, OrderTimeline } from '../../../orders/index.ts';
import {
  Area,
  clip,
  type Filled,
  Form,
  lines,
  normalText,
  Pages,
  Part,
  pageAsked,
  pageOf,
  When,
} from '../../../web/index.ts';
import type { EditPart } from '../../editing/changes.ts';
import { ConflictNotice, Shown } from '../../editing/save-edit.tsx';
import { partText } from './fulfilments.tsx';
import { listPath, root } from './list/order-filters.tsx';

/** The form of a note, and that of the tags. */
export const NoteForm = z.object({ text: z.string().transform(normalText) });
export const TagsForm = z.object({ tags: lines });

/** The part of an order that the form of its tags edits. */
export const TAG_PARTS: readonly EditPart<Order>[] = [
  { key: 'tags', label: 'Tags', of: ({ tags }) => tags.map((tag) => tag.trim()) },
];

interface Props {
  readonly f: Filled;
  readonly order: Order;
  /** The path of the order's page. */
  readonly here: string;
}

/** The tags of an order, each a link to the orders that have it, and the form that changes them. */
export const Tags = ({ f, order, here }: Props) => (
  <section class="card" aria-labelledby="tags">
    <h2 id="tags">Tags</h2>
    {order.tags.length > 0 && (
      <p>
        {order.tags.map((tag) => (
          <>
            <a class="state" href={listPath({ tag })}>
              {tag}
            </a>{' '}
          </>
        ))}
      </p>
    )}
    <Form request={f.request} action={`${here}/tags`} submit="Save tags" bare>
      <Shown f={f} parts={TAG_PARTS} stored={order} />
      <ConflictNotice f={f} />
      <Area
        f={f}
        name="tags"
        label="Tags of this order"
        value={order.tags.join('\n')}
        hint="One per line, such as VIP or gift"
      />
    </Form>
  </section>
);

/** The form that adds a note to the timeline. */
export const AddNote = ({ f, here }: Omit<Props, 'order'>) => (
  <section class="card" aria-labelledby="note">
    <h2 id="note">Note</h2>
    <Form request={f.request} action={`${here}/notes`} submit="Add note" bare>
      <Area
        f={f}
        name="text"
        label="Note to your colleagues"
        hint="Shown in the timeline. The customer never sees it"
        required
        attributes={{ maxlength: 500 }}
      />
    </Form>
  </section>
);

const NAMES = {
  placed: 'Placed',
  paid: 'Paid',
  refunded: 'Refunded',
  fulfilled: 'Fulfilled',
  cancelled: 'Cancelled',
  edited: 'Edited',
  noted: 'Note',
} as const;

type Entry = OrderTimeline['data'][number];

/** Returns an entry's details in words: its plain values, and its line items by name. */
const inWords = ({ type, details }: Entry, items: Order['items']): string =>
  type === 'noted'
    ? String(details.text ?? 'removed with the customer')
    : Object.entries(details)
        .filter(([name, value]) => !name.endsWith('_id') && value !== null)
        .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${textOf(value, items)}`)
        .join(' · ');

const textOf = (value: unknown, items: Order['items']): string => {
  if (!Array.isArray(value)) return String(value);
  const all = value.map((part) =>
    part !== null && typeof part === 'object' && 'quantity' in part && 'line_id' in part
      ? partText({ line_id: part.line_id, quantity: part.quantity }, items)
      : String(part),
  );
  return all.join(', ');
};

/** Entries of the timeline on one page. */
const ENTRIES_PER_PAGE = 10;
/** A note is shown whole, which has at most so many characters. */
const MAX_DETAILS_LENGTH = 500;

/** The timeline of an order, newest first. */
export const Timeline = ({
  f,
  order,
  entries,
}: Omit<Props, 'here'> & { readonly entries: readonly Entry[] }) => {
  const { shown, meta } = pageOf(entries.toReversed(), pageAsked(f.request, 'entries'), ENTRIES_PER_PAGE);
  return (
    <section aria-labelledby="timeline">
      <Part name="timeline" />
      <h2 id="timeline">Timeline</h2>
      <ol class="timeline">
        {shown.map((entry) => (
          <li>
            <p>
              <strong>{NAMES[entry.type]}</strong> by {[entry.by.kind, entry.by.id].filter(Boolean).join(' ')}
              , <When at={entry.at} />
            </p>
            <Details text={inWords(entry, order.items)} />
          </li>
        ))}
      </ol>
      {meta.total_pages > 1 && (
        <Pages meta={meta} href={(to) => `${root}/${order.id}?entries=${to}#timeline`} />
      )}
    </section>
  );
};

const Details = ({ text }: { readonly text: string }) =>
  text === '' ? null : <p class="hint">{clip(text, MAX_DETAILS_LENGTH)}</p>;
