import { formatMoney, toNumber } from '../../../kernel/values/money.ts';
import { addressLines } from '../../../kernel/values/postal-address.ts';
import { EXTERNAL, type Order, type OrderWithPayments } from '../../../orders/index.ts';
import { clip, Email, Facts, Section, State, Totals } from '../../../web/index.ts';
import { commaSeparated } from '../../comma-separated.ts';
import { listPath } from './list/order-filters.tsx';

type Address = NonNullable<Order['addresses']['shipping']>;

/** The lines of an address on one line. The direction of one part, such as an Arabic street, leaves the others in their order. */
export const OneLine = ({ of }: { readonly of: readonly string[] }) => (
  <>{commaSeparated(of.map((line) => <bdi>{line}</bdi>))}</>
);

const Postal = ({ to }: { readonly to: Address }) => (
  <address>
    <OneLine of={addressLines(to)} />
  </address>
);

interface Props {
  readonly order: Order;
}

const Customer = ({ order: { customer, addresses, billing_address, note } }: Props) => (
  <Section id="customer" title="Customer" card>
    <Facts
      of={{
        Name:
          customer.id === null ? (
            (customer.name ?? '–')
          ) : (
            <a href={`/developer/customers/${customer.id}`}>{customer.name ?? `Customer ${customer.id}`}</a>
          ),
        'E-mail':
          customer.email === null ? (
            '–'
          ) : (
            <a href={listPath({ q: customer.email })}>
              <Email of={customer.email} />
            </a>
          ),
        Phone: customer.phone ?? '–',
        Address: addresses.shipping ? <Postal to={addresses.shipping} /> : '–',
        ...(billing_address && { Billing: <Postal to={billing_address} /> }),
        ...(note !== null && { Note: <span class="lines">{note}</span> }),
      }}
    />
  </Section>
);

/** What was deducted, and how the order is sent. */
const Extras = ({ order: { applied_promotions, shipping_method, currency } }: Props) => (
  <>
    {applied_promotions.length > 0 && (
      <ul class="hint">
        {applied_promotions.map(({ name, code, amount }) => (
          <li>
            <bdi>{clip(name || (code ?? ''), 60)}</bdi>
            {code !== null && code !== name && ` (${clip(code, 40)})`}: {formatMoney(-amount || 0, currency)}
          </li>
        ))}
      </ul>
    )}
    {shipping_method && (
      <p class="hint">
        Sent by <bdi>{clip(shipping_method.name, 60)}</bdi>
      </p>
    )}
  </>
);

/** Payments on the page; an order has few unless somebody tries again and again. */
const MAX_PAYMENTS_SHOWN = 10;

const Payments = ({ payments }: Pick<OrderWithPayments, 'payments'>) =>
  payments.length === 0 ? null : (
    <>
      <h3>Payments</h3>
      <ul>
        {payments.slice(-MAX_PAYMENTS_SHOWN).map(({ provider, state, amount, currency, reference }) => (
          <li>
            {formatMoney(toNumber(amount, currency), currency)} {provider} <State is={state} />
            {reference !== null && <small class="hint"> {clip(reference, 60)}</small>}
          </li>
        ))}
      </ul>
    </>
  );

/** Says what has to go back of payments that the order can't use, and who pays it back. */
export const RefundDue = ({
  order: { refund_due, currency },
  payments,
}: Props & Pick<OrderWithPayments, 'payments'>) =>
  refund_due === 0 ? null : (
    <p>
      <strong>{formatMoney(refund_due, currency)} is due to the customer:</strong> it was paid, and the order
      can't use it.{' '}
      {payments.some(({ provider }) => provider === EXTERNAL)
        ? 'Pay it back in your own checkout, which then reports the refund.'
        : 'The payment provider is asked to pay it back.'}
    </p>
  );

/** The customer, the addresses and the shopper's note, beside the totals and the payments. */
export const About = ({ order, payments }: Props & Pick<OrderWithPayments, 'payments'>) => (
  <div class="beside">
    <Customer order={order} />
    <Section id="totals" title="Totals" card>
      <Totals {...order} />
      <Extras order={order} />
      <Payments payments={payments} />
    </Section>
  </div>
);
