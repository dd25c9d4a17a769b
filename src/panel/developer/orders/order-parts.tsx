import { z } from 'zod';
import type { Fulfilment, Order, OrderTimeline } from '../../../orders/index.ts';
import {
  Cell,
  clip,
  Field,
  type Filled,
  Form,
  type FormError,
  optionalText,
  type PageRequest,
  State,
  Table,
  When,
} from '../../../web/index.ts';

/** The name of the field for a line's quantity. */
const quantityField = (lineId: number): string => `quantity.${lineId}`;

/** Returns the quantity of a line that can still be fulfilled. */
const leftOf = ({ ships, quantity, fulfilled_quantity }: Order['items'][number]): number =>
  ships ? quantity - fulfilled_quantity : 0;

/** The form that fulfils an order. The quantities of its lines are read by {@link fulfilmentBody}. */
export const FulfilForm = z.looseObject({
  carrier: optionalText,
  number: optionalText,
  url: optionalText,
});

/** Returns the body that creates the fulfilment of a submitted form; lines without a quantity are left out. */
export function fulfilmentBody(
  sent: PageRequest['sent'],
  { carrier, number, url }: z.output<typeof FulfilForm>,
): { items: { line_id: number; quantity: number }[]; tracking: object | null } {
  const items = Object.entries(sent).flatMap(([name, [text = '']]) => {
    const [, lineId] = /^quantity\.(\d{1,9})$/.exec(name) ?? [];
    return lineId === undefined || /^0*$/.test(text.trim())
      ? []
      : [{ line_id: Number(lineId), quantity: Number(text) }];
  });
  const tracked = carrier !== null || number !== null || url !== null;
  return { items, tracking: tracked ? { carrier, number, url } : null };
}

/** Names the API's errors after the form's fields. */
export function fulfilmentTrouble(
  trouble: FormError,
  items: readonly { line_id: number }[],
): { trouble: FormError } {
  const errors = Object.entries(trouble.errors).map(([path, messages]) => {
    const [, n] = /^items\.(\d+)\./.exec(path) ?? [];
    const line = n === undefined ? undefined : items[Number(n)];
    return [line ? quantityField(line.line_id) : path.replace(/^tracking\./, ''), messages];
  });
  return { trouble: { ...trouble, errors: Object.fromEntries(errors) } };
}

interface OrderProps {
  readonly f: Filled;
  readonly order: Order;
  /** The path of the order's page. */
  readonly here: string;
}

/** The form that fulfils what is left of a paid order: all of it, or chosen quantities. */
export const Fulfil = ({ f, order, here }: OrderProps) => {
  const open = order.items.filter((item) => leftOf(item) > 0);
  if (order.status !== 'paid' || open.length === 0) return null;
  return (
    <section aria-labelledby="fulfil">
      <h2 id="fulfil">Fulfil</h2>
      <Form request={f.request} action={`${here}/fulfil`} submit="Fulfil">
        <Table
          label="Quantities to fulfil"
          head={['Product', 'SKU', 'Left', 'Fulfil']}
          figures={[2]}
          rows={open.map((item) => [
            clip(item.name),
            clip(item.sku, 40),
            leftOf(item),
            <Cell
              f={f}
              name={quantityField(item.id)}
              label={`Fulfil of ${clip(item.name, 40)}`}
              type="number"
              value={leftOf(item)}
              attributes={{ min: 0, max: leftOf(item) }}
            />,
          ])}
        />
        <Field f={f} name="carrier" label="Carrier" attributes={{ maxlength: 64 }} />
        <Field f={f} name="number" label="Tracking number" attributes={{ maxlength: 128 }} />
        <Field f={f} name="url" label="Tracking page" type="url" hint="An https URL of the carrier" />
      </Form>
    </section>
  );
};

/** A destructive form behind a summary, so that it takes a second step. */
export const Confirmed = (props: {
  readonly request: PageRequest;
  readonly action: string;
  readonly ask: string;
  readonly about?: string;
  readonly text: string;
  readonly submit: string;
}) => (
  <details>
    <summary aria-label={props.about ? `${props.ask} ${props.about}` : undefined}>{props.ask}</summary>
    <p>{props.text}</p>
    <Form
      request={props.request}
      action={props.action}
      submit={props.submit}
      {...(props.about !== undefined && { about: props.about })}
      danger
      quiet
    />
  </details>
);

/** Names a quantity of a line: "2 × Enamel cup". */
const partText = (part: { line_id: unknown; quantity: unknown }, items: Order['items']): string =>
  `${part.quantity} × ${items.find(({ id }) => id === part.line_id)?.name ?? `line ${part.line_id}`}`;

const trackingOf = ({ tracking }: Fulfilment) => {
  if (!tracking) return '–';
  const label = [tracking.carrier, tracking.number].filter(Boolean).join(' ') || 'Tracking page';
  return tracking.url ? <a href={tracking.url}>{clip(label)}</a> : clip(label);
};

/** The fulfilments of an order, with what can be done to each. */
export const Fulfilments = ({ f: { request }, order, here }: OrderProps) => {
  if (order.fulfilments.length === 0) return null;
  return (
    <section aria-labelledby="fulfilments">
      <h2 id="fulfilments">Fulfilments</h2>
      <Table
        label="All fulfilments"
        head={['Created', 'Items', 'Tracking', 'Status', 'Actions']}
        rows={order.fulfilments.map((one, n) => [
          <When at={one.created_at} />,
          clip(one.items.map((part) => partText(part, order.items)).join(', '), 160),
          trackingOf(one),
          <State is={one.status} />,
          <Actions request={request} one={one} path={`${here}/fulfilments/${one.id}`} about={`${n + 1}`} />,
        ])}
      />
    </section>
  );
};

const Actions = (props: {
  readonly request: PageRequest;
  readonly one: Fulfilment;
  readonly path: string;
  readonly about: string;
}) => {
  const { request, one, path } = props;
  const about = `fulfilment ${props.about}`;
  if (one.status === 'cancelled') return <span>–</span>;
  return (
    <>
      {one.status === 'shipped' && (
        <Form request={request} action={`${path}/delivered`} submit="Mark delivered" about={about} quiet />
      )}
      <Confirmed
        request={request}
        action={`${path}/cancel`}
        ask="Cancel"
        about={about}
        text="Its quantities can then be fulfilled again. The customer is not notified."
        submit="Cancel fulfilment"
      />
    </>
  );
};

const NAMES = {
  placed: 'Placed',
  paid: 'Paid',
  refunded: 'Refunded',
  fulfilled: 'Fulfilled',
  cancelled: 'Cancelled',
  edited: 'Edited',
  noted: 'Note',
} as const;

/** Returns an entry's details in words: its plain values, and its line items by name. */
const inWords = (details: Readonly<Record<string, unknown>>, items: Order['items']): string =>
  Object.entries(details)
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

/** The timeline of an order, newest first. */
export const Timeline = (props: {
  readonly entries: OrderTimeline['data'];
  readonly items: Order['items'];
}) => (
  <section aria-labelledby="timeline">
    <h2 id="timeline">Timeline</h2>
    <Table
      label="Timeline entries"
      head={['When', 'What', 'By', 'Details']}
      rows={props.entries
        .toReversed()
        .map(({ at, type, by, details }) => [
          <When at={at} />,
          NAMES[type],
          [by.kind, by.id].filter(Boolean).join(' '),
          clip(inWords(details, props.items), 160),
        ])}
    />
  </section>
);
