import { database } from '../../../kernel/data/database.ts';
import { linesOf, Order } from '../../../orders/index.ts';
import {
  asTrouble,
  clip,
  type Outcome,
  type PageRequest,
  Pages,
  Part,
  pageAsked,
  pageOf,
  Table,
  type View,
} from '../../../web/index.ts';
import { refundedOf } from './fulfilments.tsx';
import { root } from './list/order-filters.tsx';
import { addressLines } from './order-about.tsx';
import { chosenOf } from './order-lines.tsx';

/** Lines of one slip: what fits the page budget. */
const LINES_PER_SLIP = 40;

/** A line of the slip. */
interface Packed {
  readonly item: Order['items'][number];
  readonly quantity: number;
}

/** Returns what is in a parcel, or for null everything of the order that ships and was not refunded. */
const packedIn = (order: Order, parcel: Order['fulfilments'][number] | null): Packed[] =>
  order.items.flatMap((item) => {
    const quantity = parcel
      ? (parcel.items.find(({ line_id }) => line_id === item.id)?.quantity ?? 0)
      : item.ships
        ? item.quantity - refundedOf(order, item)
        : 0;
    return quantity > 0 ? [{ item, quantity }] : [];
  });

/** The page to print and put into a parcel: the address and what is in it, without prices. */
export async function packingSlipPage(request: PageRequest): Promise<View | Outcome> {
  const { id: tenantId } = request.tenant;
  const ctx = { db: database(request.env, tenantId), tenantId };
  const [answer, kept, { tenant }] = await Promise.all([
    request.api({ path: `/v1/orders/${encodeURIComponent(request.param('id'))}`, answer: Order }),
    linesOf(ctx, request.param('id')),
    request.developer(),
  ]);
  if (!answer.ok) return answer;
  const order = answer.value;
  const wanted = request.query('fulfilment');
  const parcel = order.fulfilments.find(({ id }) => id === wanted) ?? null;
  if (wanted !== '' && !parcel) return asTrouble('Fulfilment not found.', 404);
  const { shown, meta } = pageOf(packedIn(order, parcel), pageAsked(request), LINES_PER_SLIP);
  const here = `${root}/${order.id}`;
  const about = parcel ? `&fulfilment=${parcel.id}` : '';
  const body = (
    <article class="card">
      <SlipHead sender={tenant.name} order={order} />
      <ShipTo order={order} />
      <Contents lines={shown} chosen={(item) => chosenOf(item, kept)} />
      {order.note !== null && <p>Note: {order.note}</p>}
      {meta.total_pages > 1 && <Pages meta={meta} href={(to) => `${here}/packing-slip?page=${to}${about}`} />}
      {/* Last, so that nothing moves when the script shows the button. */}
      <Print />
    </article>
  );
  return {
    title: 'Packing slip',
    trail: [
      [root, 'Orders'],
      [here, `Order ${order.number}`],
    ],
    body,
  };
}

const SlipHead = ({ sender, order }: { readonly sender: string; readonly order: Order }) => (
  <header>
    <p>
      <strong>{clip(sender, 120)}</strong>
    </p>
    <p>
      Order {order.number}, {order.created_at.slice(0, 10)}
    </p>
  </header>
);

const Print = () => (
  <p class="actions">
    <button type="button" data-print hidden>
      Print
    </button>{' '}
    <noscript>Print this page with your browser.</noscript>
    <Part name="print" />
  </p>
);

const ShipTo = ({ order: { addresses, customer } }: { readonly order: Order }) => (
  <section aria-labelledby="to">
    <h2 id="to">Ship to</h2>
    <address>
      {(addresses.shipping ? addressLines(addresses.shipping) : [customer.name ?? '–']).map((line) => (
        <>
          {line}
          <br />
        </>
      ))}
    </address>
  </section>
);

interface ContentsProps {
  readonly lines: readonly Packed[];
  readonly chosen: (item: Packed['item']) => string;
}

const Contents = ({ lines, chosen }: ContentsProps) =>
  lines.length === 0 ? (
    <p>Nothing of this order is shipped.</p>
  ) : (
    <Table
      label="Contents"
      head={['Quantity', 'Product', 'SKU']}
      rows={lines.map(({ item, quantity }) => [
        quantity,
        clip([item.name, chosen(item)].filter(Boolean).join(': '), 100),
        clip(item.sku, 40),
      ])}
    />
  );
