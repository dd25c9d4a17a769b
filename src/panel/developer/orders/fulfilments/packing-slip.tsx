import { addressLines } from '../../../../kernel/values/postal-address.ts';
import { linesOf, type Order } from '../../../../orders/index.ts';
import {
  asFormError,
  clip,
  type Outcome,
  type PageRequest,
  Pages,
  Part,
  pageAsked,
  pageOf,
  Section,
  Table,
  type View,
  When,
} from '../../../../web/index.ts';
import { tenantDatabase } from '../../../tenant-database.ts';
import { root } from '../list/order-filters.tsx';
import { chosenOf } from '../order-lines.tsx';
import { loadOrder, orderTrail } from '../order-path.ts';
import { refundedOf } from './fulfilments.tsx';

/** What fits the page budget: the lines of one slip, and their text, in UTF-16 units. */
const LINES_PER_SLIP = 40;
const TEXT_PER_SLIP = 5_600;

/** A line of the slip. */
interface Packed {
  readonly item: Order['items'][number];
  readonly quantity: number;
}

/** The stored rows of an order's lines. */
type Kept = Parameters<typeof chosenOf>[1];

/** Returns what is in a parcel, or for null everything of the order that ships and was not refunded. */
const packedIn = (order: Order, parcel: Order['fulfilments'][number] | null): Packed[] =>
  order.items.flatMap((item) => {
    const unrefunded = item.ships ? item.quantity - refundedOf(order, item) : 0;
    const quantity = parcel
      ? (parcel.items.find(({ line_id }) => line_id === item.id)?.quantity ?? 0)
      : unrefunded;
    return quantity > 0 ? [{ item, quantity }] : [];
  });

/** Names a line with all that was chosen: whoever packs it sees nothing else. */
const contentOf = ({ item }: Packed, kept: Kept): string =>
  [item.name, chosenOf(item, kept)].filter(Boolean).join(': ');

/** Returns how many lines a slip has: fewer where their texts are long. */
function linesPerSlip(lines: readonly Packed[], kept: Kept): number {
  const longest = Math.max(1, ...lines.map((line) => contentOf(line, kept).length + line.item.sku.length));
  return Math.min(LINES_PER_SLIP, Math.max(1, Math.floor(TEXT_PER_SLIP / longest)));
}

/** The page to print and put into a parcel: the address and what is in it, without prices. */
export async function packingSlipPage(request: PageRequest): Promise<View | Outcome> {
  const [answer, kept, { tenant }] = await Promise.all([
    loadOrder(request),
    linesOf(tenantDatabase(request), request.param('id')),
    request.developer(),
  ]);
  if (!answer.ok) return answer;
  const order = answer.value;
  const wanted = request.query('fulfilment');
  const parcel = order.fulfilments.find(({ id }) => id === wanted) ?? null;
  if (wanted !== '' && !parcel) return asFormError('Fulfilment not found.', 404);
  const packed = packedIn(order, parcel);
  const { shown, meta } = pageOf(packed, pageAsked(request), linesPerSlip(packed, kept));
  const here = `${root}/${order.id}`;
  const about = parcel ? `&fulfilment=${parcel.id}` : '';
  const body = (
    <article class="card">
      <SlipHead sender={tenant.name} order={order} />
      <ShipTo order={order} />
      <Contents lines={shown} kept={kept} />
      {order.note !== null && (
        <p class="lines">
          Note: <bdi>{order.note}</bdi>
        </p>
      )}
      {meta.total_pages > 1 && <Pages meta={meta} href={(to) => `${here}/packing-slip?page=${to}${about}`} />}
      {/* Last, so that nothing moves when the script shows the button. */}
      <Print />
    </article>
  );
  return { title: 'Packing slip', trail: orderTrail(order), body };
}

const SlipHead = ({ sender, order }: { readonly sender: string; readonly order: Order }) => (
  <header>
    <p>
      <strong>
        <bdi>{clip(sender, 120)}</bdi>
      </strong>
    </p>
    <p>
      Order {order.number}, <When at={order.created_at} />
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
  <Section id="to" title="Ship to">
    <address>
      {(addresses.shipping ? addressLines(addresses.shipping) : [customer.name ?? '–']).map((line) => (
        <>
          <bdi>{line}</bdi>
          <br />
        </>
      ))}
    </address>
  </Section>
);

interface ContentsProps {
  readonly lines: readonly Packed[];
  readonly kept: Kept;
}

const Contents = ({ lines, kept }: ContentsProps) =>
  lines.length === 0 ? (
    <p>Nothing of this order is shipped.</p>
  ) : (
    <Table
      label="Contents"
      head={['Quantity', 'Product', 'SKU']}
      rows={lines.map((line) => [line.quantity, contentOf(line, kept), line.item.sku])}
    />
  );
