import { z } from 'zod';
import { picturesOf } from '../../../catalog/index.ts';
import { directory } from '../../../kernel/data/database.ts';
import { type Order, OrderTimeline, orderById, soldIn } from '../../../orders/index.ts';
import {
  ActionLink,
  Form,
  type FormError,
  form,
  formPages,
  getPage,
  type Link,
  listDevelopers,
  type Outcome,
  type Page,
  type PageRequest,
  pageAsked,
  postOnce,
  State,
  type View,
  When,
} from '../../../web/index.ts';
import { saveEdit } from '../../editing/save-edit.tsx';
import { applicationsOf } from '../../insights/applications-of.ts';
import { tenantDatabase } from '../../tenant-database.ts';
import { EraseBuyer, eraseBuyerPages } from './erase-buyer.tsx';
import { FulfilForm, fulfil, fulfilPage } from './fulfilments/fulfil-pages.tsx';
import { Fulfilments, isFulfillable } from './fulfilments/fulfilments.tsx';
import { packingSlipPage } from './fulfilments/packing-slip.tsx';
import { trackingPages } from './fulfilments/tracking.tsx';
import { bulkPages } from './list/bulk-pages.tsx';
import { root } from './list/order-filters.tsx';
import { exportOrders, ordersPage } from './list/order-list.tsx';
import { AddNote, NoteForm, TAG_PARTS, Tags, TagsForm } from './notes.tsx';
import { About, RefundDue } from './order-about.tsx';
import { Lines } from './order-lines.tsx';
import { loadOrder, orderPath } from './order-path.ts';
import { cancelPages, setStatus } from './questions.tsx';
import { refundPages } from './refunds/refund-pages.tsx';
import { Refunds } from './refunds/refunds.tsx';
import { Timeline } from './timeline.tsx';

/** An order's states, and when it was placed. */
const States = ({ order }: { readonly order: Order }) => (
  <p>
    <State is={order.status} /> {order.payment_status !== order.status && <State is={order.payment_status} />}{' '}
    <State is={order.fulfilment_status} /> {order.test && <State is="test" />}{' '}
    {order.archived_at !== null && <State is="archived" />}{' '}
    {order.dispute && <State is={`dispute ${order.dispute.status}`} />} placed <When at={order.created_at} />
  </p>
);

/** Links to what can be done with an order. */
const Actions = ({ request, order, here }: { request: PageRequest; order: Order; here: string }) => (
  <div class="actions">
    <a class="button secondary" href={`${here}/packing-slip`}>
      Packing slip
    </a>
    <Form
      request={request}
      action={`${here}/archive`}
      submit={order.archived_at ? 'Open again' : 'Archive'}
      quiet
    >
      <input type="hidden" name="archived" value={order.archived_at ? 'no' : 'yes'} />
    </Form>
    {order.status !== 'cancelled' && (
      <ActionLink request={request} href={`${here}/cancel`} class="button quiet danger">
        Cancel this order
      </ActionLink>
    )}
  </div>
);

async function orderPage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const ctx = tenantDatabase(request);
  const id = request.param('id');
  const [answer, timeline, kept, pictureOf, people, applications] = await Promise.all([
    loadOrder(request),
    request.api({ path: `${orderPath(request)}/timeline`, answer: OrderTimeline }),
    orderById(ctx, id),
    picturesOf(ctx, soldIn(ctx.tenantId, id)),
    listDevelopers(directory(request.env), request.tenant.slug),
    applicationsOf(request),
  ]);
  if (!answer.ok) return answer;
  const order = answer.value;
  const stored = kept.ok ? kept.value : { lines: [], payments: [] };
  const here = `${root}/${order.id}`;
  const f = { request, formError };
  const actors = { people, applications: applications.ok ? applications.value : [] };
  const body = (
    <>
      <States order={order} />
      <RefundDue order={order} payments={stored.payments} />
      <Actions request={request} order={order} here={here} />
      <Lines order={order} source={{ kept: stored.lines, pictureOf }} page={pageAsked(request)} />
      <About order={order} payments={stored.payments} />
      <Fulfilments request={request} order={order} here={here} />
      <Refunds request={request} order={order} here={here} />
      <div class="beside">
        <AddNote f={f} here={here} />
        <Tags f={f} order={order} here={here} />
      </div>
      {timeline.ok && (
        <Timeline request={request} order={order} entries={timeline.value.data} actors={actors} />
      )}
      <EraseBuyer request={request} order={order} here={here} />
    </>
  );
  const action: Link = [`${here}/fulfil`, 'Fulfil items'];
  return {
    title: `Order ${order.number}`,
    trail: [[root, 'Orders']],
    body,
    ...(isFulfillable(order) && { action }),
  };
}

async function addNote(request: PageRequest, body: z.output<typeof NoteForm>): Promise<Outcome> {
  const noted = await postOnce(request, { path: `${orderPath(request)}/notes`, body });
  return noted.ok ? { to: `${root}/${request.param('id')}`, note: 'saved' } : noted;
}

const ArchiveForm = z.object({ archived: z.enum(['yes', 'no']) });

async function archive(request: PageRequest, form: z.output<typeof ArchiveForm>): Promise<Outcome> {
  const body = { archived: form.archived === 'yes' };
  const changed = await request.api({ method: 'PATCH', path: orderPath(request), body });
  return changed.ok ? { to: `${root}/${request.param('id')}`, note: 'saved' } : changed;
}

/** Saves the tags, and asks if somebody else has changed them meanwhile. */
const setTags = (request: PageRequest, values: z.output<typeof TagsForm>): Promise<Outcome> =>
  saveEdit(request, {
    path: orderPath(request),
    to: `${root}/${request.param('id')}`,
    load: () => loadOrder(request),
    parts: () => TAG_PARTS,
    values,
  });

const at = (path: string) => ({ path: `/developer/orders${path}`, audience: 'developer' }) as const;

/** The pages that list, show, fulfil, refund and cancel orders. */
export const orderPages: readonly Page[] = [
  getPage(at(''), ordersPage),
  // Before the page of an order, whose path it also matches.
  getPage({ ...at('/export'), needs: 'staff' }, exportOrders),
  ...bulkPages,
  getPage(at('/:id'), orderPage),
  getPage(at('/:id/packing-slip'), packingSlipPage),
  form({ ...at('/:id/notes'), form: NoteForm }, orderPage, addNote),
  form({ ...at('/:id/tags'), form: TagsForm }, orderPage, setTags),
  form({ ...at('/:id/archive'), form: ArchiveForm }, orderPage, archive),
  ...formPages({ ...at('/:id/fulfil'), needs: 'staff', form: FulfilForm }, fulfilPage, fulfil),
  ...refundPages,
  form(
    { ...at('/:id/fulfilments/:fulfilment/delivered'), form: z.object({}) },
    orderPage,
    setStatus('delivered'),
  ),
  ...trackingPages,
  ...cancelPages,
  ...eraseBuyerPages,
];
