import type { Fulfilment, Order } from '../../../../orders/index.ts';
import {
  ActionLink,
  clip,
  Form,
  lineOptions,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  rowsFitting,
  Section,
  State,
  Table,
  When,
} from '../../../../web/index.ts';

type Item = Order['items'][number];

/** Returns the items of refunds that cover units of a line. */
const refundsOf = ({ refunds }: Order, { id }: Item) =>
  refunds
    .filter(({ status }) => status !== 'failed')
    .flatMap(({ items }) => items.filter(({ line_id }) => line_id === id));

const unitsOf = (items: readonly { readonly quantity: number }[]): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);

/** Returns the units of a line that refunds cover. */
export const refundedOf = (order: Order, item: Item): number => unitsOf(refundsOf(order, item));

/** Returns the shipped units of a line that no refund covers as shipped. */
export const shippedOf = (order: Order, item: Item): number =>
  item.fulfilled_quantity - unitsOf(refundsOf(order, item).filter(({ shipped }) => shipped));

/** Returns the quantity of a line that is still to be shipped: what was refunded before it was shipped is not. */
export function leftOf(order: Order, item: Item): number {
  const gone = refundedOf(order, item) + Math.max(0, shippedOf(order, item));
  return item.ships ? Math.max(0, item.quantity - gone) : 0;
}

/** Returns whether something of an order is still to be shipped: nothing once all of it is refunded. */
export const isFulfillable = (order: Order): boolean =>
  order.status === 'paid' &&
  order.payment_status !== 'refunded' &&
  order.items.some((item) => leftOf(order, item) > 0);

/**
 * Names a line of a paid order with what was chosen, which tells two variants apart: "Enamel cup (Colour: Blue)". Only
 * such an order has the titles of files.
 */
export function lineName(item: Item): string {
  const chosen = lineOptions({ ...item, links: item.downloads ?? [] });
  return chosen === '' ? clip(item.name) : `${clip(item.name)} (${clip(chosen, 80)})`;
}

/** Names a quantity of a line: "2 × Enamel cup". */
export function partText(part: { line_id: unknown; quantity: unknown }, items: Order['items']): string {
  const item = items.find(({ id }) => id === part.line_id);
  return `${part.quantity} × ${item ? lineName(item) : `line ${part.line_id}`}`;
}

const trackingOf = ({ tracking }: Fulfilment) => {
  if (!tracking) return '–';
  const label = [tracking.carrier, tracking.number].filter(Boolean).join(' ') || 'Tracking page';
  return tracking.url ? <a href={tracking.url}>{clip(label)}</a> : clip(label);
};

interface Props {
  readonly request: PageRequest;
  readonly order: Order;
  /** The path of the order's page. */
  readonly here: string;
}

/** Fulfilments on the page; the first page has the latest. */
const FULFILMENTS_PER_PAGE = 5;
/** What fits the page budget beside the other parts of an order's page. */
const FULFILMENTS_BYTES = 3_000;
const FULFILMENT_BYTES = 900;

/** Returns what is in a fulfilment, in words. */
const contentOf = ({ items }: Fulfilment, order: Order): string =>
  clip(items.map((part) => partText(part, order.items)).join(', '), 300);

/** The fulfilments of an order, with what can be done to each. */
export const Fulfilments = ({ request, order, here }: Props) => {
  if (order.fulfilments.length === 0) return null;
  const latestFirst = order.fulfilments.toReversed();
  const texts = latestFirst.map((one) => `${contentOf(one, order)}${one.tracking?.url ?? ''}`);
  const size = rowsFitting(texts, {
    most: FULFILMENTS_PER_PAGE,
    bytes: FULFILMENTS_BYTES,
    each: FULFILMENT_BYTES,
  });
  const { shown, meta } = pageOf(latestFirst, pageAsked(request, 'parcels'), size);
  return (
    <Section id="fulfilments" title="Fulfilments">
      <Table
        label="All fulfilments"
        head={['Created', 'Items', 'Tracking', 'Status', 'Actions']}
        rows={shown
          .toReversed()
          .map((one) => [
            <When at={one.created_at} />,
            contentOf(one, order),
            trackingOf(one),
            <Standing of={one} />,
            <Actions request={request} one={one} here={here} about={nameOf(one, order)} />,
          ])}
      />
      {meta.total_pages > 1 && <Pages meta={meta} href={(to) => `${here}?parcels=${to}#fulfilments`} />}
    </Section>
  );
};

/** The status of a fulfilment, with when it was delivered or cancelled. */
const Standing = ({ of: { status, delivered_at, cancelled_at } }: { readonly of: Fulfilment }) => {
  const at = delivered_at ?? cancelled_at;
  return (
    <span>
      <State is={status} />
      {at && [' ', <When at={at} />]}
    </span>
  );
};

/** Names a fulfilment by its position: "fulfilment 2". */
export const nameOf = (one: Fulfilment, { fulfilments }: Order): string =>
  `fulfilment ${fulfilments.indexOf(one) + 1}`;

const Actions = (props: {
  readonly request: PageRequest;
  readonly one: Fulfilment;
  readonly here: string;
  readonly about: string;
}) => {
  const { request, one, here, about } = props;
  if (one.status === 'cancelled') return <span>–</span>;
  const path = `${here}/fulfilments/${one.id}`;
  return (
    <span class="actions">
      <a href={`${here}/packing-slip?fulfilment=${one.id}`} aria-label={`Packing slip of ${about}`}>
        Packing slip
      </a>
      {one.status === 'shipped' && (
        <Form request={request} action={`${path}/delivered`} submit="Mark delivered" about={about} quiet />
      )}
      <ActionLink request={request} href={`${path}/tracking`} about={`Tracking of ${about}`}>
        Tracking
      </ActionLink>
      <ActionLink request={request} href={`${path}/cancel`} about={`Cancel ${about}`}>
        Cancel
      </ActionLink>
    </span>
  );
};
