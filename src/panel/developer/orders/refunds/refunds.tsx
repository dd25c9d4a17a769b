import { formatMoney } from '../../../../kernel/values/money.ts';
import { EXTERNAL, type Order, type RefundPreview } from '../../../../orders/index.ts';
import {
  clip,
  type PageRequest,
  Pages,
  type PagesProps,
  pageAsked,
  pageOf,
  rowsFitting,
  Section,
  State,
  Table,
  When,
} from '../../../../web/index.ts';
import { partText } from '../fulfilments/fulfilments.tsx';
import { LINES_PER_PAGE } from '../order-lines.tsx';

interface RefundsProps {
  readonly request: PageRequest;
  readonly order: Order;
  /** The path of the order's page. */
  readonly here: string;
}

/** The refunds of an order, and the link to the pages that make another while something is left. */
export const Refunds = ({ request, order, here }: RefundsProps) => {
  const path = `${here}/refund`;
  const isPaid = ['paid', 'partially_refunded'].includes(order.payment_status);
  const refundable = isPaid && request.may('get', path);
  if (order.refunds.length === 0 && !refundable) return null;
  return (
    <Section id="refunds" title="Refunds">
      {order.refunds.length > 0 && <Made request={request} order={order} here={here} />}
      {refundable && (
        <p>
          <a class="button secondary" href={path}>
            Refund all or a part
          </a>
        </p>
      )}
    </Section>
  );
};

/** Returns why a refund was made, and why it failed: the provider's code, in words. */
const reasonText = ({ reason, failure_reason }: Order['refunds'][number]): string => {
  const failure = failure_reason === null ? '' : `failed: ${failure_reason.replaceAll('_', ' ')}`;
  if (reason === null) return failure || '–';
  return failure === '' ? clip(reason, 80) : `${clip(reason, 80)} (${failure})`;
};

/** Refunds on the page; the first page has the latest. */
const REFUNDS_PER_PAGE = 5;
/** What fits the page budget beside the other parts of an order's page. */
const REFUNDS_BYTES = 1_200;
const REFUND_BYTES = 340;

const Made = ({ request, order, here }: RefundsProps) => {
  const size = rowsFitting(order.refunds.map(reasonText), {
    most: REFUNDS_PER_PAGE,
    bytes: REFUNDS_BYTES,
    each: REFUND_BYTES,
  });
  const { shown, meta } = pageOf(order.refunds.toReversed(), pageAsked(request, 'refunds'), size);
  return (
    <>
      <Table
        label="All refunds"
        head={['Requested', 'Source', 'Reason', 'Status', 'Amount', 'Tax included']}
        figures={[4, 5]}
        rows={shown
          .toReversed()
          .map((one) => [
            <When at={one.created_at} />,
            one.source,
            reasonText(one),
            <State is={one.status} />,
            formatMoney(one.amount, one.currency),
            formatMoney(one.tax, one.currency),
          ])}
      />
      {meta.total_pages > 1 && <Pages meta={meta} href={(to) => `${here}?refunds=${to}#refunds`} />}
    </>
  );
};

interface CoveredProps {
  readonly order: Order;
  readonly preview: RefundPreview;
  /** The page of its parts. */
  readonly page: number;
  /** Returns the link of a page of the parts. */
  readonly href: PagesProps['href'];
}

/** What fits the page budget beside the units of a hundred lines in hidden fields and links. */
const PARTS_BYTES = 2_400;
const PARTS_ROW_BYTES = 100;

/** Says what a refund pays back, through whom and for what, and what returns to stock. */
export const Covered = (props: CoveredProps) => {
  const { preview } = props;
  const { amount, currency, provider, items } = preview;
  const restocked = items.reduce((sum, { restock, quantity }) => sum + (restock ? quantity : 0), 0);
  const way =
    provider === EXTERNAL
      ? 'is recorded as paid back. Nothing is paid here: pay it back in your own checkout.'
      : `will be paid back to the customer through ${provider}.`;
  return (
    <>
      <p>
        {amount === 0 ? (
          'These units cost nothing: no money is paid back.'
        ) : (
          <>
            <strong>{formatMoney(amount, currency)}</strong> {way}
          </>
        )}{' '}
        This can't be undone.
      </p>
      <Parts {...props} />
      <p>
        {restocked === 0
          ? 'Nothing returns to stock.'
          : `${restocked} ${restocked === 1 ? 'unit returns' : 'units return'} to stock.`}
      </p>
    </>
  );
};

const Parts = ({ order, preview, page, href }: CoveredProps) => {
  const { currency, items, shipping, further } = preview;
  const lines = items.map(({ lineId, quantity, amount }) => {
    return [partText({ line_id: lineId, quantity }, order.items), formatMoney(amount, currency)];
  });
  const others = [
    ['Shipping', shipping],
    ['Further amount', further],
  ] as const;
  const shown = others.filter(([, part]) => part !== 0);
  const rows = [...lines, ...shown.map(([name, part]) => [name, formatMoney(part, currency)])];
  const texts = rows.map(([part = '']) => part);
  const size = rowsFitting(texts, { most: LINES_PER_PAGE, bytes: PARTS_BYTES, each: PARTS_ROW_BYTES });
  const { meta, shown: rowsShown } = pageOf(rows, page, size);
  return (
    <>
      <Table label="What is refunded" head={['For', 'Amount']} figures={[1]} rows={rowsShown} />
      {meta.total_pages > 1 && <Pages meta={meta} href={href} />}
    </>
  );
};
