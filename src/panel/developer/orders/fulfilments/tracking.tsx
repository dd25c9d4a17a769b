import { z } from 'zod';
import type { Fulfilment, Order } from '../../../../orders/index.ts';
import {
  type Answer,
  asFormError,
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  type Outcome,
  optionalText,
  type Page,
  type PageRequest,
  type View,
} from '../../../../web/index.ts';
import { type EditPart, storedValues } from '../../../editing/changes.ts';
import { EditedParts, saveEdit } from '../../../editing/save-edit.tsx';
import { root } from '../list/order-filters.tsx';
import { loadOrder, orderPath, orderTrail } from '../order-path.ts';
import { nameOf } from './fulfilments.tsx';

/** The fields of a parcel's tracking, in a form. */
export const TRACKING_FIELDS = { carrier: optionalText, number: optionalText, url: optionalText };

const TrackingForm = z.object(TRACKING_FIELDS);

type Tracking = z.output<typeof TrackingForm>;

/** Returns tracking as the API takes it: null where nothing is filled in. */
export const trackingBody = ({ carrier, number, url }: Tracking): Tracking | null =>
  carrier === null && number === null && url === null ? null : { carrier, number, url };

/** Returns a form's field for an error's path of the API. */
export const trackingField = (path: string): string => path.replace(/^tracking\./, '');

/** How the customer can track a parcel. */
export const TrackingFields = ({ f, of }: { readonly f: Filled; readonly of?: Fulfilment['tracking'] }) => (
  <>
    <Field f={f} name="carrier" label="Carrier" value={of?.carrier} maxlength={64} />
    <Field f={f} name="number" label="Tracking number" value={of?.number} maxlength={128} />
    <Field
      f={f}
      name="url"
      label="Tracking page"
      value={of?.url}
      type="url"
      hint="An https URL of the carrier"
    />
  </>
);

const PARTS: readonly EditPart<Fulfilment>[] = [
  { key: 'carrier', label: 'Carrier', of: ({ tracking }) => tracking?.carrier?.trim() || null },
  { key: 'number', label: 'Tracking number', of: ({ tracking }) => tracking?.number?.trim() || null },
  { key: 'url', label: 'Tracking page', of: ({ tracking }) => tracking?.url ?? null },
];

/** A fulfilment that can be changed, and its order. */
interface Parcel {
  readonly order: Order;
  readonly parcel: Fulfilment;
}

async function loadParcel(request: PageRequest): Promise<Answer<Parcel>> {
  const answer = await loadOrder(request);
  if (!answer.ok) return answer;
  const parcel = answer.value.fulfilments.find(({ id }) => id === request.param('fulfilment'));
  if (!parcel) return { ok: false, ...asFormError('Fulfilment not found.', 404) };
  return parcel.status === 'cancelled'
    ? { ok: false, ...asFormError('The fulfilment is cancelled and cannot be changed.', 409) }
    : { ok: true, value: { order: answer.value, parcel } };
}

async function trackingPage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const found = await loadParcel(request);
  if (!found.ok) return found;
  const { order, parcel } = found.value;
  const f = { request, formError };
  const here = `${root}/${order.id}`;
  return {
    title: `Tracking of ${nameOf(parcel, order)}`,
    trail: orderTrail(order),
    body: (
      <Form request={request} action={`${here}/fulfilments/${parcel.id}/tracking`} submit="Save">
        <EditedParts f={f} parts={PARTS} stored={parcel} />
        <TrackingFields f={f} of={parcel.tracking} />
      </Form>
    ),
  };
}

const saveTracking = (request: PageRequest, values: Tracking): Promise<Outcome> =>
  saveEdit<Fulfilment>(request, {
    path: `${orderPath(request)}/fulfilments/${encodeURIComponent(request.param('fulfilment'))}`,
    to: `${root}/${request.param('id')}`,
    load: async () => {
      const found = await loadParcel(request);
      return found.ok ? { ok: true, value: found.value.parcel } : found;
    },
    parts: () => PARTS,
    values,
    // The API replaces tracking as a whole.
    patch: (parcel, changed) => ({
      tracking: trackingBody(TrackingForm.parse({ ...storedValues(PARTS, parcel), ...changed })),
    }),
    fieldOf: trackingField,
  });

/** The page that changes a parcel's tracking. */
export const trackingPages: readonly Page[] = formPages(
  {
    path: '/developer/orders/:id/fulfilments/:fulfilment/tracking',
    audience: 'developer',
    needs: 'staff',
    form: TrackingForm,
  },
  trackingPage,
  saveTracking,
);
