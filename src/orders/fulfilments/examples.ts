import type { NamedExamples } from '../../kernel/openapi/example.ts';
import type { OrderParams } from '../schemas.ts';
import type { Fulfilment, FulfilmentCreate, FulfilmentParams, FulfilmentPatch } from './schemas.ts';

/** The order of `examples.ts` of this module. */
const ORDER = 'ord_dWpGATpRbUztzTHL6jafKTB5';

const tracking = () => ({
  carrier: 'DHL',
  number: '00340434161094042557',
  url: 'https://www.dhl.de/en/privatkunden/?piececode=00340434161094042557',
});

/** The first parcel: two of the three bags of coffee. */
export const firstParcel = (): Fulfilment => ({
  id: 'ful_8sKq2TzNhLr5Wd0XjveYc1Ma',
  status: 'shipped',
  items: [{ line_id: 1, quantity: 2 }],
  tracking: tracking(),
  delivered_at: null,
  cancelled_at: null,
  created_at: '2026-11-24T08:15:02.114Z',
  updated_at: '2026-11-24T08:15:02.114Z',
});

/** The second parcel: the rest. */
const secondParcel = (): Fulfilment => ({
  id: 'ful_L3vXo9bQyT7mRw1KzPcHd5Ns',
  status: 'shipped',
  items: [{ line_id: 1, quantity: 1 }],
  tracking: null,
  delivered_at: null,
  cancelled_at: null,
  created_at: '2026-11-25T09:40:51.730Z',
  updated_at: '2026-11-25T09:40:51.730Z',
});

/** The second parcel, once it has a tracking number. */
export const trackedParcel = (): Fulfilment => ({
  ...secondParcel(),
  tracking: { carrier: 'DHL', number: '00340434161094042564', url: null },
  updated_at: '2026-11-25T17:22:10.481Z',
});

const delivered = (): Fulfilment => ({
  ...trackedParcel(),
  status: 'delivered',
  delivered_at: '2026-11-26T13:02:19.006Z',
  updated_at: '2026-11-26T13:02:19.006Z',
});

/** Both parcels, after the second was delivered. */
export const parcels = (): Fulfilment[] => [firstParcel(), delivered()];

type Create = { params: typeof OrderParams; body: typeof FulfilmentCreate; answer: typeof Fulfilment };
type Patch = { params: typeof FulfilmentParams; body: typeof FulfilmentPatch; answer: typeof Fulfilment };

/** Examples of the endpoints of fulfilments. */
export const fulfilmentExamples = {
  create: (): NamedExamples<Create> => ({
    part: {
      summary: 'A parcel with two of three pieces',
      params: { id: ORDER },
      body: { items: [{ line_id: 1, quantity: 2 }], tracking: tracking() },
      answer: firstParcel(),
    },
    rest: {
      summary: 'Everything that is left',
      params: { id: ORDER },
      body: {},
      answer: secondParcel(),
    },
  }),
  patch: (): NamedExamples<Patch> => ({
    tracked: {
      summary: 'Tracking that came after the parcel was sent',
      params: { id: ORDER, fulfilment_id: secondParcel().id },
      body: { tracking: { carrier: 'DHL', number: '00340434161094042564' } },
      answer: trackedParcel(),
    },
    delivered: {
      summary: 'A parcel that arrived',
      params: { id: ORDER, fulfilment_id: secondParcel().id },
      body: { status: 'delivered' },
      answer: delivered(),
    },
  }),
};
