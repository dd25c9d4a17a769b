import { formatMoney } from '../../../kernel/values/money.ts';
import type { Order, OrderLineRow } from '../../../orders/index.ts';
import { clip, lineOptions, Pages, pageOf, rowsFitting, Table } from '../../../web/index.ts';
import { Thumbnail } from '../../pictures.tsx';
import { root } from './list/order-filters.tsx';

/** Line items of an order on one page. */
export const LINES_PER_PAGE = 20;

type Item = Order['items'][number];

/** What the stored order and the catalogue know of its lines beyond the API. */
interface LineSource {
  /** The stored rows: they have the titles of files that are not paid for yet. */
  readonly kept: readonly OrderLineRow[];
  /** Returns the URL of a line's picture, or null. */
  readonly pictureOf: (item: Item) => string | null;
}

/** Returns what was chosen for a line, in words; "" for nothing. */
export const chosenOf = (item: Item, kept: readonly OrderLineRow[]): string =>
  lineOptions({ ...item, links: kept.find(({ id }) => id === item.id)?.links ?? [] });

interface LineNameProps {
  readonly item: Pick<Item, 'product_id' | 'name'>;
  readonly picture: string | null;
  /** What was chosen, in words; "" for nothing. */
  readonly chosen: string;
}

/** The name of a line of an order or cart, with its picture and what was chosen. */
export const LineName = ({ item, picture, chosen }: LineNameProps) => (
  <span class="with-picture">
    {picture && <Thumbnail url={picture} />}
    <span>
      <a href={`/developer/products/${item.product_id}`}>{clip(item.name)}</a>
      {chosen !== '' && (
        <small class="hint">
          {' '}
          <bdi>{clip(chosen, 160)}</bdi>
        </small>
      )}
    </span>
  </span>
);

/** What fits the page budget alone, and beside the fulfilments and refunds of an order. */
const LINES_BYTES = 9_000;
const LINES_BESIDE_BYTES = 4_000;
const LINE_BYTES = 380;

interface LinesProps {
  readonly order: Order;
  readonly source: LineSource;
  readonly page: number;
}

/** The lines of an order. */
export const Lines = ({ order, source, page }: LinesProps) => {
  const texts = order.items.map(
    (item) => `${clip(item.name)}${clip(chosenOf(item, source.kept), 160)}${item.sku}`,
  );
  const bytes = order.fulfilments.length + order.refunds.length > 0 ? LINES_BESIDE_BYTES : LINES_BYTES;
  const size = rowsFitting(texts, { most: LINES_PER_PAGE, bytes, each: LINE_BYTES });
  const { shown, meta } = pageOf(order.items, page, size);
  return (
    <>
      <Table
        label="Lines"
        head={['Product', 'SKU', 'Quantity', 'Price', 'Total']}
        figures={[2, 3, 4]}
        rows={shown.map((item) => [
          <LineName item={item} picture={source.pictureOf(item)} chosen={chosenOf(item, source.kept)} />,
          item.sku,
          item.quantity,
          formatMoney(item.unit_price, order.currency),
          formatMoney(item.total, order.currency),
        ])}
      />
      {meta.total_pages > 1 && <Pages meta={meta} href={(to) => `${root}/${order.id}?page=${to}`} />}
    </>
  );
};
