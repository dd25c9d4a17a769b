import { z } from 'zod';
import { ERRORS, type Failure } from '../../../../kernel/core/errors.ts';
import type { Order, RefundCreate } from '../../../../orders/index.ts';
import {
  Cell,
  Field,
  type Filled,
  Form,
  type FormError,
  halfWidth,
  isSent,
  pageAsked,
  pageOf,
  renameErrors,
  rowsFitting,
  Switch,
  Table,
  Tick,
} from '../../../../web/index.ts';
import { HiddenValues } from '../../../confirm.tsx';
import { leftOf, lineName, refundedOf, shippedOf } from '../fulfilments/fulfilments.tsx';
import { LINES_PER_PAGE } from '../order-lines.tsx';

/** The name of the field for the units of a line to refund. */
const unitsField = (lineId: number): string => `units.${lineId}`;

/** The values of a form's fields, as submitted. */
export type Values = Readonly<Record<string, readonly string[]>>;

/** The form that chooses what to refund; {@link refundBody} reads the units of its lines. */
export const ChoiceForm = z.looseObject({ what: z.enum(['all', 'part']) });

/** Returns the fields that choose what to refund; those that choose nothing are left out. */
export const chosen = (sent: Values): Values =>
  Object.fromEntries(
    Object.entries(sent).filter(
      ([name, [value = '']]) =>
        /^(?:units\.\d{1,9}|what|shipping|restock|shipped|amount)$/.test(name) && !/^0*$/.test(value.trim()),
    ),
  );

/** Returns the amount of a form as it was typed; "" for none. */
export const typedAmount = ({ amount }: Values): string => halfWidth(amount?.[0]?.trim() ?? '');

/** Returns the body of the refund that the fields of a form choose; without any, it is everything that is left. */
export function refundBody(sent: Values): z.input<typeof RefundCreate> {
  const values = chosen(sent);
  if ((values.what?.[0] ?? 'all') === 'all') return {};
  const amount = typedAmount(values);
  const about = { restock: values.restock !== undefined, shipped: values.shipped !== undefined };
  const items = Object.entries(values).flatMap(([name, [text = '']]) => {
    const lineId = /^units\.(\d+)$/.exec(name)?.[1];
    return lineId === undefined ? [] : [{ line_id: Number(lineId), quantity: Number(text), ...about }];
  });
  return {
    // In the order of the lines: the form has those of other pages apart.
    ...(items.length > 0 && { items: items.sort((a, b) => a.line_id - b.line_id) }),
    // Always named, so that an empty choice doesn't refund everything.
    shipping: values.shipping !== undefined,
    ...(amount !== '' && { amount: Number(amount.replace(',', '.')) }),
  };
}

/** Returns whether a form chooses parts of an order, and none yet. */
export function choosesNothing(values: Values): boolean {
  const names = Object.keys(values).filter((name) => /^(?:units\.|shipping|amount)/.test(name));
  return values.what?.[0] === 'part' && names.length === 0;
}

/** Names the errors of a refund after the form's fields. */
export const refundError = (
  formError: FormError,
  { items = [] }: z.input<typeof RefundCreate>,
): { formError: FormError } => ({
  formError: renameErrors(formError, (path) => {
    const [, n] = /^items\.(\d+)\./.exec(path) ?? [];
    const line = n === undefined ? undefined : items[Number(n)];
    return line ? unitsField(line.line_id) : path;
  }),
});

/** Returns an action's failure as the error of a form. */
export const formErrorOf = ({ code, message, errors = {} }: Failure): FormError => ({
  message: message ?? ERRORS[code][1],
  errors,
  status: ERRORS[code][0],
});

/** Returns the units of a line that no refund covers. */
const unitsLeft = (order: Order, item: Order['items'][number]): number =>
  item.quantity - refundedOf(order, item);

interface PartProps {
  readonly f: Filled;
  readonly order: Order;
  /** What was chosen before, when a person comes back to change it. */
  readonly values: Values;
}

/** What fits the page budget beside the units of a hundred lines in hidden fields. */
const UNITS_BYTES = 7_400;
const UNITS_ROW_BYTES = 270;

/** Returns the page of lines to show: the one that was turned to, or that of the first line with an error. */
function pageToShow({ request, formError }: Filled, open: Order['items'], size: number): number {
  const wrong = open.findIndex(({ id }) => formError?.errors[unitsField(id)] !== undefined);
  if (wrong >= 0) return Math.floor(wrong / size) + 1;
  return Math.trunc(Number(request.sent._turn?.[0] ?? request.sent._page?.[0])) || pageAsked(request);
}

/** The lines that can be refunded, each with a field for its units; those of other pages are in hidden fields. */
const Units = ({ f, order, values }: PartProps) => {
  const open = order.items.filter((item) => unitsLeft(order, item) > 0);
  if (open.length === 0) return null;
  // The name is in the label of the field, too.
  const texts = open.map((item) => `${lineName(item)}${lineName(item)}${item.sku}`);
  const size = rowsFitting(texts, { most: LINES_PER_PAGE, bytes: UNITS_BYTES, each: UNITS_ROW_BYTES });
  const { shown, meta } = pageOf(open, pageToShow(f, open, size), size);
  const chosenUnits = chosen(isSent(f.request) ? f.request.sent : values);
  const hidden = open.filter((item) => !shown.includes(item)).map(({ id }) => unitsField(id));
  return (
    <>
      <HiddenValues
        of={Object.fromEntries(
          hidden.flatMap((name) => (chosenUnits[name] ? [[name, chosenUnits[name]]] : [])),
        )}
      />
      <Table
        label="Units to refund"
        head={['Product', 'SKU', 'Left', 'Refund']}
        figures={[2]}
        rows={shown.map((item) => [
          lineName(item),
          item.sku,
          unitsLeft(order, item),
          <Cell
            f={f}
            name={unitsField(item.id)}
            label={`Refund of ${lineName(item)}`}
            type="number"
            value={values[unitsField(item.id)]?.[0] ?? 0}
            attributes={{ min: 0, max: unitsLeft(order, item) }}
          />,
        ])}
      />
      <Turn meta={meta} />
    </>
  );
};

/** Buttons that show other lines of the form, and keep what was typed. */
const Turn = ({ meta: { page, total, total_pages } }: Pick<ReturnType<typeof pageOf>, 'meta'>) =>
  total_pages > 1 ? (
    <p class="pages">
      <input type="hidden" name="_page" value={String(page)} />
      {page > 1 && <TurnTo page={page - 1}>Previous lines</TurnTo>}
      <span>
        Page {page} of {total_pages} ({total} lines in total)
      </span>
      {page < total_pages && <TurnTo page={page + 1}>Next lines</TurnTo>}
    </p>
  ) : null;

const TurnTo = ({ page, children }: { readonly page: number; readonly children: string }) => (
  <button type="submit" class="quiet" name="_turn" value={String(page)} formnovalidate>
    {children}
  </button>
);

/** The fields that choose a part: units, shipping, and an amount for anything else. */
const PartFields = ({ f, order, values }: PartProps) => (
  <>
    <Units f={f} order={order} values={values} />
    <Tick f={f} name="restock" label="Return these units to stock" on={values.restock !== undefined} />
    {order.items.some((item) => shippedOf(order, item) > 0 && leftOf(order, item) > 0) && (
      <Tick
        f={f}
        name="shipped"
        label="These units were shipped"
        on={values.shipped !== undefined}
        hint="Otherwise, units that are not shipped yet are refunded first"
      />
    )}
    <Tick
      f={f}
      name="shipping"
      label="Refund the shipping"
      on={values.shipping !== undefined}
      hint="The part that is not refunded yet"
    />
    <Field
      f={f}
      name="amount"
      label={`Further amount (${order.currency})`}
      hint="Such as goodwill"
      value={values.amount?.[0]}
      attributes={{ inputmode: 'decimal' }}
    />
  </>
);

interface ChoiceProps extends PartProps {
  /** The path of the form. */
  readonly path: string;
  /** Everything that is left, as text with its currency. */
  readonly left: string;
}

/** The form that chooses what to refund. It makes no refund: a page of its own says the amount and asks. */
export const RefundChoice = ({ path, left, ...part }: ChoiceProps) => (
  <Form request={part.f.request} action={path} submit="Continue">
    <Switch
      f={part.f}
      name="what"
      label="Refund"
      value={part.values.what?.[0] ?? 'all'}
      options={[
        ['all', `Everything that is left: ${left}`],
        ['part', 'Chosen units and amounts'],
      ]}
      hint="Nothing is paid back yet. The next page shows the amount and asks."
      cases={[{ of: 'part', body: <PartFields {...part} /> }]}
    />
  </Form>
);
