import type { z } from 'zod';
import { ERRORS, type Failure } from '../../../kernel/core/errors.ts';
import type { Order, RefundCreate } from '../../../orders/index.ts';
import { Cell, Checks, clip, Field, type Filled, type FormError, Table } from '../../../web/index.ts';

/** The name of the field for the units of a line to refund. */
const unitsField = (lineId: number): string => `units.${lineId}`;

const ALSO = ['shipping', 'restock'] as const;

/** The values of a form's fields, as submitted. */
export type Values = Readonly<Record<string, readonly string[]>>;

/** Returns the fields that choose what to refund; none of them means everything that is left. */
export const chosen = (sent: Values): Values =>
  Object.fromEntries(
    Object.entries(sent).filter(([name]) => /^(?:units\.\d{1,9}|also|amount|reason)$/.test(name)),
  );

/** Returns the body of the refund that the fields of a form choose; lines without units are left out. */
export function refundBody(sent: Values): z.input<typeof RefundCreate> {
  const values = chosen(sent);
  if (Object.keys(values).length === 0) return {};
  const text = (name: string) => values[name]?.[0]?.trim() ?? '';
  const also = values.also ?? [];
  const items = Object.keys(values).flatMap((name) => {
    const lineId = /^units\.(\d+)$/.exec(name)?.[1];
    return lineId === undefined || /^0*$/.test(text(name))
      ? []
      : [{ line_id: Number(lineId), quantity: Number(text(name)), restock: also.includes('restock') }];
  });
  return {
    ...(items.length > 0 && { items }),
    // Always named, so that an empty choice doesn't refund everything.
    shipping: also.includes('shipping'),
    ...(text('amount') !== '' && { amount: Number(text('amount').replace(',', '.')) }),
    ...(text('reason') !== '' && { reason: text('reason') }),
  };
}

/** Names the errors of a refund after the form's fields. */
export function refundTrouble(
  trouble: FormError,
  { items = [] }: z.input<typeof RefundCreate>,
): { trouble: FormError } {
  const errors = Object.entries(trouble.errors).map(([path, messages]) => {
    const [, n] = /^items\.(\d+)\./.exec(path) ?? [];
    const line = n === undefined ? undefined : items[Number(n)];
    return [line ? unitsField(line.line_id) : path, messages];
  });
  return { trouble: { ...trouble, errors: Object.fromEntries(errors) } };
}

export const troubleOf = ({ code, message, errors = {} }: Failure): FormError => ({
  message: message ?? ERRORS[code][1],
  errors,
  status: ERRORS[code][0],
});

/** Returns the units of a line that no refund covers. */
const unitsLeft = ({ refunds }: Order, { id, quantity }: Order['items'][number]): number =>
  refunds
    .filter(({ status }) => status !== 'failed')
    .flatMap(({ items }) => items)
    .reduce((left, item) => left - (item.line_id === id ? item.quantity : 0), quantity);

interface ChoiceProps {
  readonly f: Filled;
  readonly order: Order;
  readonly values: Values;
  readonly path: string;
}

/** The lines that can be refunded, each with a field for its units. */
const Units = ({ f, order, values }: Omit<ChoiceProps, 'path'>) => {
  const open = order.items.filter((item) => unitsLeft(order, item) > 0);
  if (open.length === 0) return null;
  return (
    <Table
      label="Units to refund"
      head={['Product', 'SKU', 'Left', 'Refund']}
      figures={[2]}
      rows={open.map((item) => [
        clip(item.name),
        clip(item.sku, 40),
        unitsLeft(order, item),
        <Cell
          f={f}
          name={unitsField(item.id)}
          label={`Refund of ${clip(item.name, 40)}`}
          type="number"
          value={values[unitsField(item.id)]?.[0] || 0}
          attributes={{ min: 0, max: unitsLeft(order, item) }}
        />,
      ])}
    />
  );
};

/** The form that chooses what to refund. It shows the page again, which says the amount. */
export const Selection = ({ f, order, values, path }: ChoiceProps) => {
  const known = (name: string) => values[name]?.[0] ?? '';
  return (
    <form class="stack" action={path}>
      <Units f={f} order={order} values={values} />
      <Checks
        f={f}
        name="also"
        legend="Also"
        hint="Shipping: what is left of it. Restock: return these units to stock."
        options={ALSO}
        checked={values.also ?? []}
      />
      <Field
        f={f}
        name="amount"
        label={`Further amount (${order.currency})`}
        hint="Such as goodwill"
        value={known('amount')}
        attributes={{ inputmode: 'decimal' }}
      />
      <Field
        f={f}
        name="reason"
        label="Reason"
        value={known('reason')}
        hint="Only the shop sees it"
        attributes={{ maxlength: 500 }}
      />
      <button type="submit">Show the amount</button>
    </form>
  );
};
