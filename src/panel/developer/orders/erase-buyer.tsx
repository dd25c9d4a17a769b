import type { Order } from '../../../orders/index.ts';
import { ActionLink, type Outcome, type Page, type PageRequest } from '../../../web/index.ts';
import { confirmPages, deleteAt } from '../../confirm.tsx';
import { root } from './list/order-filters.tsx';
import { loadOrder, orderPath, orderTrail } from './order-path.ts';

/** Returns whether an order has data of a guest. A customer is erased with their account. */
const namesGuest = ({ customer, addresses, billing_address, note }: Order): boolean =>
  customer.id === null &&
  ((customer.name ?? customer.email ?? customer.phone ?? note) !== null ||
    // An erasure leaves their countries.
    [addresses.shipping, billing_address].some((address) => Object.keys(address ?? {}).length > 1));

interface Props {
  readonly request: PageRequest;
  readonly order: Order;
  readonly here: string;
}

/** What the law gives who bought without an account: erasure (GDPR, article 17). */
export const EraseBuyer = ({ request, order, here }: Props) =>
  namesGuest(order) ? (
    <p class="actions">
      <ActionLink request={request} href={`${here}/erase-buyer`} class="button quiet danger">
        Erase the buyer's data
      </ActionLink>
    </p>
  ) : null;

async function erasing(request: PageRequest) {
  const answer = await loadOrder(request);
  if (!answer.ok) return answer;
  const { id, number, fulfilment_status } = answer.value;
  return {
    title: `Erase the buyer of order ${number}?`,
    trail: orderTrail(answer.value),
    body: (
      <p>
        Name, contact data, addresses, notes and tags are removed from the order, its events and its cart.
        Items and amounts stay.{' '}
        {fulfilment_status !== 'fulfilled' && 'Nothing can be sent to the buyer any more. '}
        Other orders of the same person are erased one by one. This can't be undone.
      </p>
    ),
    submit: 'Erase buyer',
    keep: [`${root}/${id}`, 'Keep the data'] as const,
  };
}

const erase = (request: PageRequest): Promise<Outcome> =>
  deleteAt(request, `${orderPath(request)}/personal-data`, `${root}/${request.param('id')}`);

/** The pages that erase the buyer of a guest's order, after a question. */
export const eraseBuyerPages: readonly Page[] = confirmPages(
  { path: '/developer/orders/:id/erase-buyer', audience: 'developer' },
  erasing,
  erase,
);
