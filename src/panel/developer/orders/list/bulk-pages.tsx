import { z } from 'zod';
import { MAX_BULK_ORDERS, Order, OrderBulkResult } from '../../../../orders/index.ts';
import {
  Area,
  asFormError,
  Choice,
  checked,
  type Filled,
  Form,
  type FormError,
  formPages,
  lines,
  list,
  NextLink,
  type Outcome,
  type Page,
  type PageRequest,
  postOnce,
  renameErrors,
  Table,
  Tick,
  type View,
} from '../../../../web/index.ts';
import { countOf } from '../../../count-of.ts';
import { root } from './order-filters.tsx';
import { BULK_PATH, Orders } from './order-list.tsx';

const trail = [[root, 'Orders']] as const;
const ids = list.pipe(z.array(z.string()).max(MAX_BULK_ORDERS));

const BulkForm = z.object({
  ids,
  fulfil: checked,
  archived: z.enum(['', 'yes', 'no']).default(''),
  add_tags: lines.default([]),
  remove_tags: lines.default([]),
});

/** Loads the orders with these ids, without those that are gone. */
async function loadOrders(request: PageRequest, chosen: readonly string[]): Promise<Order[]> {
  const found = await Promise.all(
    chosen.map((id) => request.api({ path: `/v1/orders/${encodeURIComponent(id)}`, answer: Order })),
  );
  return found.flatMap((order) => (order.ok ? [order.value] : []));
}

/** The page that says which orders are chosen, and asks what to change. */
async function bulkPage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const sent = request.sent.ids ?? new URL(request.c.req.url).searchParams.getAll('ids');
  const chosen = ids.safeParse(sent);
  if (!chosen.success) return asFormError(`Tick at most ${MAX_BULK_ORDERS} orders.`);
  if (chosen.data.length === 0) return { title: 'Change orders', trail, body: <NoneChosen /> };
  const orders = await loadOrders(request, chosen.data);
  const title = `Change ${countOf(orders.length, 'order')}`;
  const body = (
    <>
      <Orders orders={orders} empty={<NoneChosen />} />
      <Form request={request} action={BULK_PATH} submit={title}>
        {orders.map(({ id }) => (
          <input type="hidden" name="ids" value={id} />
        ))}
        <BulkFields f={{ request, formError }} />
      </Form>
    </>
  );
  return { title, trail, body };
}

const NoneChosen = () => (
  <p>
    No order is ticked. <a href={root}>Tick orders in the list</a>, then change them together.
  </p>
);

const BulkFields = ({ f }: { readonly f: Filled }) => (
  <>
    <Tick
      f={f}
      name="fulfil"
      label="Fulfil everything that is left"
      on={false}
      hint="One parcel without tracking for each order. Webhooks report each of them"
    />
    <Choice
      f={f}
      name="archived"
      label="Archive"
      options={[
        ['', 'Leave as they are'],
        ['yes', 'Archive: out of the list of open orders'],
        ['no', 'Open again'],
      ]}
      value=""
    />
    <div class="pair">
      <Area f={f} name="add_tags" label="Add tags" value="" hint="One per line" />
      <Area f={f} name="remove_tags" label="Remove tags" value="" hint="One per line" />
    </div>
  </>
);

interface InPartProps extends z.output<typeof OrderBulkResult> {
  /** The numbers of the orders that were not changed. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** How many orders were changed, and why others were not. */
const ChangedInPart = ({ updated, errors, numbers }: InPartProps) => (
  <>
    <p role="status">
      {countOf(updated, 'order')} changed. {countOf(errors.length, 'order')} stayed as{' '}
      {errors.length === 1 ? 'it is' : 'they are'}.
    </p>
    <Table
      label="Refused orders"
      head={['Order', 'Why']}
      rows={errors.map(({ id, message }) => [<a href={`${root}/${id}`}>{numbers.get(id) ?? id}</a>, message])}
    />
    <NextLink href={root} label="View orders" />
  </>
);

/** Names the errors of a change after the form's fields. */
const changeError = (formError: FormError): FormError =>
  renameErrors(formError, (path) => path.replace(/^change\./, ''));

/** Changes the orders; those that refuse are listed with the reason. */
async function change(request: PageRequest, input: z.output<typeof BulkForm>): Promise<Outcome> {
  const { fulfil, archived, add_tags, remove_tags } = input;
  const wanted = {
    ...(fulfil && { fulfil }),
    ...(archived && { archived: archived === 'yes' }),
    ...(add_tags.length > 0 && { add_tags }),
    ...(remove_tags.length > 0 && { remove_tags }),
  };
  if (Object.keys(wanted).length === 0) return asFormError('Choose at least one change.');
  const changed = await postOnce(request, {
    path: '/v1/orders/bulk',
    body: { ids: input.ids, change: wanted },
    answer: OrderBulkResult,
  });
  if (!changed.ok) return { formError: changeError(changed.formError) };
  const { updated, errors } = changed.value;
  if (errors.length === 0) return { to: root, note: 'saved' };
  const refused = await loadOrders(
    request,
    errors.map(({ id }) => id),
  );
  const numbers = new Map(refused.map(({ id, number }) => [id, number]));
  const body = <ChangedInPart updated={updated} errors={errors} numbers={numbers} />;
  return { view: { title: 'Some orders were not changed', trail, body } };
}

/** The pages that change several orders at once. */
export const bulkPages: readonly Page[] = formPages(
  { path: BULK_PATH, audience: 'developer', needs: 'staff', form: BulkForm },
  bulkPage,
  change,
);
