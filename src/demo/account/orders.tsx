import { formatMoney, type Schemas } from '../../../client/src/index.ts';
import {
  clip,
  Form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  State,
  type View,
} from '../../web/index.ts';
import { Choices } from '../cart/line.tsx';
import { Sums } from '../cart/summary.tsx';
import { attempt } from '../frame/attempt.ts';
import { shopOf } from '../frame/session.ts';
import { AddressLines } from './address-lines.tsx';
import { ROOT, refused, signInFirst, Tabs } from './tabs.tsx';

type Order = Schemas['CustomerOrder'];

const PAGE_SIZE = 10;
const LINES_PER_PAGE = 60;

const Day = ({ at }: { at: string }) => (
  <time datetime={at}>{new Date(at).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })}</time>
);

const OrderCard = ({ order }: { order: Order }) => (
  <li>
    <div class="between">
      <h3>
        <a href={`${ROOT}/orders/${order.id}`}>Order {order.number}</a> <State is={order.status} />
      </h3>
      <p class="price">{formatMoney(order.totals.grand_total, order.currency, 'en')}</p>
    </div>
    <p class="soft">
      <Day at={order.created_at} />
    </p>
    <p dir="auto">{clip(order.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', '), 160)}</p>
  </li>
);

const accountPage = async (request: PageRequest): Promise<View | Outcome> => {
  const away = signInFirst(request);
  if (away) return away;
  const { customers } = shopOf(request);
  const [me, orders] = await Promise.all([
    attempt(customers.getCurrent()),
    attempt(customers.listOrders({ limit: PAGE_SIZE, page: pageAsked(request) })),
  ]);
  if (!me.ok) return refused(request, me.formError);
  if (!orders.ok) return refused(request, orders.formError);
  const { data, meta } = orders.value;
  const body = (
    <>
      <div class="between">
        <p>
          {me.value.name}, {me.value.email}
        </p>
        <Form request={request} action={`${ROOT}/logout`} submit="Sign out" quiet />
      </div>
      <Tabs request={request} />
      <h2>My orders</h2>
      {data.length > 0 ? (
        <ul class="rows">
          {data.map((order) => (
            <OrderCard order={order} />
          ))}
        </ul>
      ) : (
        <p class="empty">{meta.total === 0 ? 'No orders yet.' : 'There are no further orders.'}</p>
      )}
      {meta.total_pages > 1 && <Pages meta={meta} href={(to) => `${ROOT}?page=${to}`} />}
    </>
  );
  return { title: 'Your account', body };
};

const hasParcels = ({ items }: Order): boolean => items.some(({ ships }) => ships);

/** Says what happens to the goods that are in no parcel yet; null if nothing does. */
function restText({ status, payment_status, fulfilment_status }: Order): string | null {
  if (status === 'cancelled' || payment_status === 'refunded') return null;
  if (status === 'pending') return 'Your order is prepared once it is paid.';
  if (fulfilment_status === 'unfulfilled') return 'Your order is being prepared.';
  return fulfilment_status === 'partially_fulfilled' ? 'The rest is being prepared.' : null;
}

/** The parcels of an order, with links to follow them. */
const Parcels = ({ of: order }: { of: Order }) => {
  const parcels = order.fulfilments.filter((one) => one.status !== 'cancelled');
  const rest = restText(order);
  if (!hasParcels(order) || (parcels.length === 0 && rest === null)) return null;
  return (
    <section>
      <h2>Delivery</h2>
      <ul class="cells">
        {parcels.map((parcel) => {
          const { tracking, created_at, delivered_at } = parcel;
          const label = [tracking?.carrier, tracking?.number].filter(Boolean).join(' ');
          return (
            <li>
              <p>
                {delivered_at ? 'Delivered' : 'Shipped'} on <Day at={delivered_at ?? created_at} />
              </p>
              {tracking?.url ? <a href={tracking.url}>{label || 'Follow the parcel'}</a> : label}
            </li>
          );
        })}
      </ul>
      {rest && <p>{rest}</p>}
    </section>
  );
};

const Line = ({ item, currency }: { item: Order['items'][number]; currency: string }) => {
  const { product_id, name, selected, quantity, total, downloads = [] } = item;
  return (
    <li>
      <div class="between">
        <h2 dir="auto">
          {quantity} × <a href={`/demo/products/${product_id}`}>{clip(name, 80)}</a>
        </h2>
        <p class="price">{formatMoney(total, currency, 'en')}</p>
      </div>
      {/* The titles of files are in their links. */}
      {downloads.length === 0 && <Choices of={selected} />}
      {downloads.map(({ title, url }) => (
        <p>
          <a href={url}>Download {clip(title, 60)}</a>
        </p>
      ))}
    </li>
  );
};

const Lines = ({ request, order: { id, items, currency } }: { request: PageRequest; order: Order }) => {
  const { shown, meta } = pageOf(items, pageAsked(request), LINES_PER_PAGE);
  return (
    <>
      <ul class="rows">
        {shown.map((item) => (
          <Line item={item} currency={currency} />
        ))}
      </ul>
      {meta.total_pages > 1 && <Pages meta={meta} href={(page) => `${ROOT}/orders/${id}?page=${page}`} />}
    </>
  );
};

const Addresses = ({ order }: { order: Order }) => {
  const { addresses, shipping_method: method } = order;
  const to = addresses.shipping;
  if (!to) return null;
  return (
    <>
      <h2>{hasParcels(order) ? 'Delivery address' : 'Address'}</h2>
      <AddressLines of={to} />
      {method && <p class="soft">{clip(method.name, 60)}</p>}
    </>
  );
};

const orderPage = async (request: PageRequest): Promise<View | Outcome> => {
  const away = signInFirst(request);
  if (away) return away;
  const found = await attempt(shopOf(request).customers.getOrder({ id: request.param('id') }));
  if (!found.ok) return refused(request, found.formError);
  const order = found.value;
  const body = (
    <>
      <p>
        <State is={order.status} /> <Day at={order.created_at} />
      </p>
      <div class="columns">
        <div>
          <Lines request={request} order={order} />
          <Parcels of={order} />
        </div>
        <section class="panel" aria-label="Summary">
          <Sums of={order} />
          {order.refunds.map(({ amount, currency, status }) => (
            <p class="note">
              Refund of {formatMoney(amount, currency, 'en')} <State is={status} />
            </p>
          ))}
          <Addresses order={order} />
        </section>
      </div>
    </>
  );
  return { title: `Order ${order.number}`, trail: [[ROOT, 'Your account']], body };
};

/** The orders of the signed-in customer. */
export const orderPages: readonly Page[] = [
  getPage({ path: ROOT, audience: 'anyone' }, accountPage),
  getPage({ path: `${ROOT}/orders/:id`, audience: 'anyone' }, orderPage),
];
