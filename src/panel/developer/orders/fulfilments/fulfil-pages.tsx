import { z } from 'zod';
import type { Order } from '../../../../orders/index.ts';
import {
  Cell,
  type Filled,
  Form,
  type FormError,
  type Outcome,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  postOnce,
  renameErrors,
  rowsFitting,
  Table,
  type View,
} from '../../../../web/index.ts';
import { root } from '../list/order-filters.tsx';
import { LINES_PER_PAGE } from '../order-lines.tsx';
import { loadOrder, orderPath, orderTrail } from '../order-path.ts';
import { isFulfillable, leftOf, lineName, refundedOf } from './fulfilments.tsx';
import { TRACKING_FIELDS, TrackingFields, trackingBody, trackingField } from './tracking.tsx';

/** The name of the field for a line's quantity. */
const quantityField = (lineId: number): string => `quantity.${lineId}`;

/** The form that fulfils an order. The quantities of its lines are read by {@link fulfilmentBody}. */
export const FulfilForm = z.looseObject(TRACKING_FIELDS);

/** Returns the body that creates the fulfilment of a submitted form; lines without a quantity are left out. */
function fulfilmentBody(
  sent: PageRequest['sent'],
  tracking: z.output<typeof FulfilForm>,
): { items: { line_id: number; quantity: number }[]; tracking: object | null } {
  const items = Object.entries(sent).flatMap(([name, [text = '']]) => {
    const [, lineId] = /^quantity\.(\d{1,9})$/.exec(name) ?? [];
    return lineId === undefined || /^0*$/.test(text.trim())
      ? []
      : [{ line_id: Number(lineId), quantity: Number(text) }];
  });
  return { items, tracking: trackingBody(tracking) };
}

/** Names the API's errors after the form's fields. */
const fulfilmentError = (formError: FormError, items: readonly { line_id: number }[]): FormError =>
  renameErrors(formError, (path) => {
    const [, n] = /^items\.(\d+)\./.exec(path) ?? [];
    const line = n === undefined ? undefined : items[Number(n)];
    return line ? quantityField(line.line_id) : trackingField(path);
  });

/** The page that fulfils what is left of a paid order: all of it, or chosen quantities. */
export async function fulfilPage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const answer = await loadOrder(request);
  if (!answer.ok) return answer;
  const order = answer.value;
  const here = `${root}/${order.id}`;
  const f = { request, formError };
  return {
    title: `Fulfil order ${order.number}`,
    trail: orderTrail(order),
    body: isFulfillable(order) ? <Parcel f={f} order={order} here={here} /> : <Nothing order={order} />,
  };
}

const Nothing = ({ order }: { readonly order: Order }) => (
  <div class="empty">
    <p>
      {order.status === 'paid'
        ? 'Everything that ships is in a fulfilment, or was refunded before.'
        : `The order is ${order.status}. Only a paid order can be fulfilled.`}
    </p>
  </div>
);

/** What fits the page budget. */
const PARCEL_BYTES = 16_000;
const PARCEL_ROW_BYTES = 420;

const Parcel = ({ f, order, here }: { readonly f: Filled; readonly order: Order; readonly here: string }) => {
  const open = order.items.filter((item) => leftOf(order, item) > 0);
  const { sent } = f.request;
  const page = Number(sent._page?.[0]) || pageAsked(f.request);
  // The name is in the label of the field, too.
  const texts = open.map((item) => `${lineName(item)}${lineName(item)}${item.sku}`);
  const size = rowsFitting(texts, { most: LINES_PER_PAGE, bytes: PARCEL_BYTES, each: PARCEL_ROW_BYTES });
  const { shown, meta } = pageOf(open, page, size);
  // A refused form has its own lines, also where others have shipped some meanwhile.
  const typed = open.filter(({ id }) => sent[quantityField(id)] !== undefined);
  return (
    <>
      <p class="lead">
        Enter what is in this parcel and how the customer can track it. Fulfil the rest in further parcels.
      </p>
      <Form request={f.request} action={`${here}/fulfil`} submit="Fulfil">
        <input type="hidden" name="_page" value={String(meta.page)} />
        <input type="hidden" name="_refunded" value={String(refundedUnits(order))} />
        <Table
          label="Quantities to fulfil"
          head={['Product', 'SKU', 'Left', 'Fulfil']}
          figures={[2]}
          rows={(typed.length > 0 ? typed : shown).map((item) => [
            lineName(item),
            item.sku,
            leftOf(order, item),
            <Cell
              f={f}
              name={quantityField(item.id)}
              label={`Fulfil of ${lineName(item)}`}
              type="number"
              value={leftOf(order, item)}
              attributes={{ min: 0, max: leftOf(order, item) }}
            />,
          ])}
        />
        <TrackingFields f={f} />
      </Form>
      {meta.total_pages > 1 && (
        <>
          <p>Each page of lines makes a parcel of its own.</p>
          <Pages meta={meta} href={(to) => `${here}/fulfil?page=${to}`} />
        </>
      )}
    </>
  );
};

const refundedUnits = (order: Order): number =>
  order.items.reduce((sum, item) => sum + refundedOf(order, item), 0);

/** Names the lines of which a form ships more than is left, if units were refunded after it was shown; else null. */
function refundedMeanwhile(
  order: Order,
  sent: PageRequest['sent'],
  items: readonly { line_id: number; quantity: number }[],
): FormError | null {
  if (sent._refunded?.[0] === String(refundedUnits(order))) return null;
  const errors = order.items.flatMap((item): [string, string[]][] => {
    const wanted = items.find(({ line_id }) => line_id === item.id)?.quantity ?? 0;
    const left = leftOf(order, item);
    return wanted > left ? [[quantityField(item.id), [`must be at most ${left}, which is left`]]] : [];
  });
  const message = 'Items were refunded while the form was open. Nothing is fulfilled yet.';
  return errors.length > 0 ? { message, errors: Object.fromEntries(errors), status: 409 } : null;
}

/** Returns the error of a form without any quantity, at its first one. */
function nothingPacked(sent: PageRequest['sent']): FormError {
  const [first = 'items'] = Object.keys(sent).filter((name) => name.startsWith('quantity.'));
  const errors = { [first]: ['enter a quantity, here or at another product'] };
  return { message: 'Nothing is in the parcel.', errors, status: 422 };
}

/** Creates the fulfilment of a submitted form, of nothing that was refunded while the form was open. */
export async function fulfil(request: PageRequest, input: z.output<typeof FulfilForm>): Promise<Outcome> {
  const body = fulfilmentBody(request.sent, input);
  if (body.items.length === 0) return { formError: nothingPacked(request.sent) };
  const order = await loadOrder(request);
  if (!order.ok) return order;
  const formError = refundedMeanwhile(order.value, request.sent, body.items);
  if (formError) return { formError };
  const made = await postOnce(request, { path: `${orderPath(request)}/fulfilments`, body });
  return made.ok
    ? { to: `${root}/${request.param('id')}`, note: 'fulfilled' }
    : { formError: fulfilmentError(made.formError, body.items) };
}
