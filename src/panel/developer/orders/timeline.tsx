import { formatMoney } from '../../../kernel/values/money.ts';
import { EXTERNAL, type Order, type OrderTimeline } from '../../../orders/index.ts';
import {
  clip,
  type PageRequest,
  Pages,
  type PanelUser,
  Part,
  pageAsked,
  pageOf,
  rowsFitting,
  Section,
  When,
} from '../../../web/index.ts';
import type { App } from '../../insights/applications-of.ts';
import { partText } from './fulfilments/fulfilments.tsx';
import { root } from './list/order-filters.tsx';

type Entry = OrderTimeline['data'][number];
type Details = Entry['details'];

const NAMES: Readonly<Record<Entry['type'], string>> = {
  placed: 'Placed',
  paid: 'Paid',
  refunded: 'Refunded',
  fulfilled: 'Fulfilled',
  cancelled: 'Cancelled',
  edited: 'Edited',
  noted: 'Note',
};

/** What a refund comes from, where that is not a request for it. */
const REFUND_SOURCES: Readonly<Record<string, string>> = {
  cancellation: ', because the order was cancelled',
  provider: ', reported by the payment provider or your own checkout',
  dispute: ', because a dispute was lost',
  surplus: ', of a payment that the order had no use for',
};

const EDITED_FIELDS: Readonly<Record<string, string>> = { archived: 'archived or opened again' };

/** Returns the text of each type's details; "" for none. */
const TEXTS: Readonly<Record<Entry['type'], (details: Details, order: Order) => string>> = {
  placed: () => '',
  paid: ({ provider }) => (provider === EXTERNAL ? 'in your own checkout' : ''),
  refunded: ({ amount, currency, source }) =>
    `${formatMoney(Number(amount), String(currency))}${REFUND_SOURCES[String(source)] ?? ''}`,
  fulfilled: ({ items }, order) => partsText(items, order),
  cancelled: ({ cancel_reason }) => (cancel_reason === 'timeout' ? 'because it was not paid in time' : ''),
  edited: (details, order) => editText(details, order),
  noted: ({ text }) => String(text ?? 'removed with the customer'),
};

const partsText = (items: unknown, order: Order): string =>
  [items]
    .flat()
    .flatMap((part) =>
      part !== null && typeof part === 'object' && 'quantity' in part && 'line_id' in part
        ? [partText({ line_id: part.line_id, quantity: part.quantity }, order.items)]
        : [],
    )
    .join(', ');

/** Names what was edited: "metadata and tags", or "fulfilment 2 (delivered)", which may have been delivered before. */
function editText({ changed, fulfilment_id, status }: Details, { fulfilments }: Order): string {
  if (fulfilment_id !== undefined) {
    const at = fulfilments.findIndex(({ id }) => id === fulfilment_id);
    return `fulfilment${at < 0 ? '' : ` ${at + 1}`} (${status})`;
  }
  return [changed]
    .flat()
    .map((field) => EDITED_FIELDS[String(field)] ?? String(field))
    .join(' and ');
}

/** Returns the text of an entry's details as the page shows it; "" for none. */
const textOf = ({ type, details }: Entry, order: Order): string =>
  clip(TEXTS[type](details, order), MAX_DETAILS_LENGTH);

const ENTRIES_PER_PAGE = 10;
/** A note is shown whole, which has at most so many characters. */
const MAX_DETAILS_LENGTH = 500;
/** What fits the page budget beside the other parts of an order's page. */
const ENTRIES_BYTES = 2_600;
const ENTRY_BYTES = 200;

interface Props {
  readonly request: PageRequest;
  readonly order: Order;
  readonly entries: readonly Entry[];
  readonly actors: Actors;
}

/** Who may have made an entry. */
interface Actors {
  /** The tenant's panel users. */
  readonly people: readonly PanelUser[];
  readonly applications: readonly Pick<App, 'id' | 'name'>[];
}

/** Names who made an entry: an application by name, and a panel user, if they are one still. */
function nameOf({ kind, id }: Entry['by'], { people, applications }: Actors): string {
  const isActor = (actor: { readonly id: number }) => String(actor.id) === id;
  if (kind === 'panel') return people.find(isActor)?.name ?? 'panel';
  const name = kind === 'application' ? applications.find(isActor)?.name : undefined;
  return [kind, name ? clip(name, 60) : id].filter(Boolean).join(' ');
}

/** The timeline of an order, newest first. */
export const Timeline = ({ request, order, entries, actors }: Props) => {
  const texts = entries.map((entry) => textOf(entry, order));
  const size = rowsFitting(texts, { most: ENTRIES_PER_PAGE, bytes: ENTRIES_BYTES, each: ENTRY_BYTES });
  const { shown, meta } = pageOf(entries.toReversed(), pageAsked(request, 'entries'), size);
  return (
    <Section id="timeline" title="Timeline">
      <Part name="timeline" />
      <ol class="timeline">
        {shown.map((entry) => (
          <li>
            <p>
              <strong>{NAMES[entry.type]}</strong> by <bdi>{nameOf(entry.by, actors)}</bdi>,{' '}
              <When at={entry.at} />
            </p>
            <EntryText text={textOf(entry, order)} />
          </li>
        ))}
      </ol>
      {meta.total_pages > 1 && (
        <Pages meta={meta} href={(to) => `${root}/${order.id}?entries=${to}#timeline`} />
      )}
    </Section>
  );
};

const EntryText = ({ text }: { readonly text: string }) =>
  text === '' ? null : <p class="hint lines">{text}</p>;
