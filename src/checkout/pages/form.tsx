import { countries, countryName } from '../../kernel/core/countries.ts';
import { formatMoney, toNumber } from '../../kernel/core/money.ts';
import { type BuyerDraft, FIELDS, type Field, fieldsOf, isRequired } from '../buyer.ts';
import type { Purchase, PurchaseLine } from '../sessions/purchase.ts';
import type { SessionRow } from '../tables.ts';
import { Delivery, shippingTerm } from './delivery.tsx';
import { type Branding, Frame } from './layout.tsx';

/** Formats an amount in minor units: (1990, "EUR") → "€19.90". */
export const moneyText = (minor: number, currency: string): string =>
  formatMoney(toNumber(minor, currency), currency);

/** The data of a checkout page. */
export interface CheckoutView {
  readonly session: SessionRow;
  readonly purchase: Purchase;
  readonly draft: BuyerDraft;
  /** Error messages by field. */
  readonly errors: Readonly<Record<string, string[]>>;
  /** A message above the form. */
  readonly message: string | null;
  /** The number of the order that awaits payment; null before it is placed. */
  readonly order: number | null;
  readonly test: boolean;
}

/** Returns what distinguishes a line from others of its product: the variant's SKU, or the booked time. */
function lineDetails({ variantId, sku, options }: PurchaseLine): string[] {
  const { booking } = options;
  const from = typeof booking === 'object' && booking !== null && 'from' in booking ? booking.from : null;
  if (typeof from !== 'string') return variantId === null ? [] : [sku];
  const when = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return [`${when.format(new Date(from))} UTC`];
}

const TotalRow = ({ term, value, kind }: { term: string; value: string; kind?: string }) => (
  <div class={kind}>
    <dt>{term}</dt>
    <dd class="amount">{value}</dd>
  </div>
);

const TotalsList = ({ purchase }: CheckoutView) => {
  const { currency, coupon, totals } = purchase;
  const { subtotal, discount, shipping, tax, taxIncluded, grandTotal } = totals;
  const amount = (minor: number) => moneyText(minor, currency);
  return (
    <dl>
      <TotalRow term="Subtotal" value={amount(subtotal)} />
      {discount > 0 ? (
        <TotalRow term={`Discount${coupon ? ` (${coupon})` : ''}`} value={amount(-discount)} />
      ) : null}
      {purchase.ships || shipping > 0 ? (
        <TotalRow
          term={shippingTerm(purchase)}
          value={purchase.shippingMethod === null ? '–' : shipping === 0 ? 'Free' : amount(shipping)}
        />
      ) : null}
      {taxIncluded ? null : <TotalRow term="Tax" value={amount(tax)} />}
      <TotalRow term="Total" value={amount(grandTotal)} kind="total" />
      {taxIncluded ? <TotalRow term="Tax included" value={amount(tax)} kind="soft" /> : null}
    </dl>
  );
};

const Summary = (view: CheckoutView) => {
  const { lines, currency } = view.purchase;
  return (
    <section class="summary" aria-labelledby="summary">
      <h2 id="summary">Your order</h2>
      <ul class="lines">
        {lines.map((line) => (
          <li>
            <div>
              <p>{line.name}</p>
              <p class="soft">
                {[`${line.quantity} × ${moneyText(line.unitPrice, currency)}`, ...lineDetails(line)].join(
                  ' · ',
                )}
              </p>
            </div>
            <p class="amount">{moneyText(line.subtotal, currency)}</p>
          </li>
        ))}
      </ul>
      <TotalsList {...view} />
    </section>
  );
};

const Input = ({ field, view, focus }: { field: Field; view: CheckoutView; focus: boolean }) => {
  const { session, draft, errors } = view;
  const { label, autocomplete, maxLength } = FIELDS[field];
  const required = isRequired(session.snapshot, field, draft.country);
  const error = errors[field]?.[0];
  const common = {
    id: field,
    name: field,
    autocomplete,
    required,
    autofocus: focus,
    ...(error === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${field}-wrong` }),
  } as const;
  const wide = ['email', 'line1', 'line2', 'country'].includes(field);
  const type = field === 'email' ? 'email' : field === 'phone' ? 'tel' : 'text';
  return (
    <div class={wide ? 'wide' : undefined}>
      <label for={field}>
        {label} {required ? null : <span>(optional)</span>}
      </label>
      {field === 'country' ? (
        <select {...common}>
          <option value="">Choose a country</option>
          {countries().map(({ code, name }) => (
            <option value={code} selected={code === draft.country}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <input {...common} type={type} maxlength={maxLength} value={draft[field] ?? ''} />
      )}
      {error === undefined ? null : (
        <p class="wrong" id={`${field}-wrong`}>
          {error}
        </p>
      )}
    </div>
  );
};

const Problems = ({ message, errors }: CheckoutView) => {
  const fields = Object.entries(errors);
  if (message === null && fields.length === 0) return null;
  return (
    <div class="note bad" role="alert">
      {message === null ? <p>Please check what you entered:</p> : <p>{message}</p>}
      {fields.length > 0 ? (
        <ul>
          {fields.map(([field, [text]]) => (
            <li>
              <a href={`#${field}`}>{text}</a>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
};

const Actions = ({ purchase: { totals, currency }, test, order }: CheckoutView) => (
  <div class="actions">
    <button type="submit" class="main" name="action" value="pay">
      {order === null ? 'Pay' : 'Continue and pay'} {moneyText(totals.grandTotal, currency)}
    </button>
    {test ? (
      <button type="submit" name="action" value="decline" formnovalidate={order !== null}>
        Decline the payment (test)
      </button>
    ) : null}
  </div>
);

const Details = ({ view }: { view: CheckoutView }) => {
  const { session, purchase, errors } = view;
  const fields = fieldsOf(session.snapshot);
  const first = fields.find((field) => errors[field]);
  return (
    <form method="post" class="details">
      <input type="hidden" name="shown_total" value={String(purchase.totals.grandTotal)} />
      <fieldset>
        <legend>{fields.includes('line1') ? 'Contact and delivery' : 'Contact'}</legend>
        <div class="fields">
          {fields.map((field) => (
            <Input field={field} view={view} focus={field === first} />
          ))}
          <div class="wide row">
            <button type="submit" name="action" value="update" formnovalidate>
              Update totals
            </button>
            <span class="soft">Tax and shipping depend on the country.</span>
          </div>
        </div>
      </fieldset>
      {purchase.hasMethods ? <Delivery purchase={purchase} /> : null}
      <Actions {...view} />
    </form>
  );
};

const Ordered = ({ view }: { view: CheckoutView }) => {
  const { draft, order } = view;
  const lines = [
    [draft.first_name, draft.last_name],
    [draft.company],
    [draft.line1],
    [draft.line2],
    [draft.postal_code, draft.city],
    [draft.region],
    [draft.country && countryName(draft.country)],
  ].map((parts) => parts.filter(Boolean).join(' '));
  return (
    <form method="post" class="details">
      <p>
        Order <strong>{order}</strong> is placed and waits for your payment. The items are reserved for you
        until then.
      </p>
      {draft.email === undefined ? null : (
        <>
          <h2>{draft.line1 ? 'Contact and delivery' : 'Contact'}</h2>
          <address>
            {lines.filter(Boolean).map((line) => (
              <>
                {line}
                <br />
              </>
            ))}
            {draft.email}
          </address>
        </>
      )}
      <Actions {...view} />
    </form>
  );
};

/** The checkout page: order summary, buyer form and actions. */
export const Checkout = ({ branding, view }: { branding: Branding; view: CheckoutView }) => (
  <Frame branding={branding} title="Checkout">
    {view.test ? (
      <div class="note">
        <p>This is a test: no money is taken.</p>
      </div>
    ) : null}
    <Problems {...view} />
    <div class="columns">
      <Summary {...view} />
      {view.order === null ? <Details view={view} /> : <Ordered view={view} />}
    </div>
    <form method="post">
      <p>
        <button type="submit" class="quiet" name="action" value="cancel">
          {view.order === null ? 'Cancel and go back to the shop' : 'Cancel the order'}
        </button>
      </p>
    </form>
  </Frame>
);
