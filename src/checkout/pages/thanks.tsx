/** The page of a paid order: what was bought, its downloads, and where its parcels are. */
import type { Order } from '../../orders/index.ts';
import { type Branding, Frame, NextLink, type NextStep } from './layout.tsx';
import { lineDetails } from './summary.tsx';

/** What the page shows. */
interface ThanksView {
  readonly number: number;
  /** The order, for the browser in which it was placed; null for any other. */
  readonly order: Order | null;
  /** The way back to the shop; null for the buyer of an agent, if the shop has no pages that are known. */
  readonly next: NextStep | null;
}

type Item = Order['items'][number];
type Parcel = Order['fulfilments'][number];

const Line = ({ item: { name, quantity, variant_id, sku, selected, downloads = [] } }: { item: Item }) => (
  <li>
    <div>
      <p>
        {quantity} × <bdi>{name}</bdi>
      </p>
      {/* The titles of files are in their links. */}
      {lineDetails({ variantId: variant_id, sku, selected: downloads.length > 0 ? [] : selected }).map(
        (text) => (
          <p class="soft">
            <bdi>{text}</bdi>
          </p>
        ),
      )}
      {downloads.map(({ title, url }) => (
        <p>
          <a href={url}>Download {title}</a>
        </p>
      ))}
    </div>
  </li>
);

const Tracking = ({ parcel: { status, tracking } }: { parcel: Parcel }) => {
  const label = [tracking?.carrier, tracking?.number].filter(Boolean).join(' ') || 'Follow the parcel';
  return (
    <li>
      <p>
        {status === 'delivered' ? 'Delivered' : 'Shipped'}
        {tracking ? ': ' : null}
        {tracking?.url ? <a href={tracking.url}>{label}</a> : tracking && label}
      </p>
    </li>
  );
};

const Details = ({ order: { items, fulfilments } }: { order: Order }) => {
  const parcels = fulfilments.filter(({ status }) => status !== 'cancelled');
  return (
    <>
      <section aria-labelledby="items">
        <h2 id="items">Your order</h2>
        <ul class="lines">
          {items.map((item) => (
            <Line item={item} />
          ))}
        </ul>
      </section>
      {parcels.length > 0 ? (
        <section aria-labelledby="parcels">
          <h2 id="parcels">Delivery</h2>
          <ul class="lines">
            {parcels.map((parcel) => (
              <Tracking parcel={parcel} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
};

/** The page of a paid order. */
export const Thanks = ({ branding, view }: { branding: Branding; view: ThanksView }) => (
  <Frame branding={branding} title="Thank you" narrow>
    <p>Your order {view.number} is paid.</p>
    {view.order ? <Details order={view.order} /> : null}
    {view.next ? (
      <NextLink step={view.next} />
    ) : (
      <p>You can close this page. Your assistant sees that the order is paid.</p>
    )}
  </Frame>
);
