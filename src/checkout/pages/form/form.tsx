import { addressLines } from '../../../kernel/values/postal-address.ts';
import { filledBilling, hasBilling } from '../../billing.ts';
import { type BuyerDraft, FIELDS, fieldsOf, isRequired } from '../../buyer.ts';
import type { Purchase } from '../../sessions/purchase.ts';
import { deliveryOf } from '../../sessions/purchase.ts';
import type { SessionRow } from '../../tables.ts';
import { type Branding, Frame } from '../layout.tsx';
import { moneyText, Summary } from '../summary.tsx';
import { Delivery } from './delivery.tsx';
import { Billing, Input, Note } from './inputs.tsx';
import { AddressChoice, type SavedAddress } from './saved-addresses.tsx';

/** The data of a checkout page. */
export interface CheckoutView {
  readonly session: SessionRow;
  readonly purchase: Purchase;
  readonly draft: BuyerDraft;
  /** Whether to show the fields of the billing address although they are empty. */
  readonly billing: boolean;
  readonly saved: readonly SavedAddress[];
  /** Error messages by field. */
  readonly errors: Readonly<Record<string, string[]>>;
  /** A message above the form. */
  readonly message: string | null;
  /** The number of the order that awaits payment; null before it is placed. */
  readonly order: number | null;
  /** Whether there is a page of the shop to go back to. */
  readonly hasShop: boolean;
  readonly test: boolean;
}

const hasProblems = ({ message, errors }: CheckoutView): boolean =>
  message !== null || Object.keys(errors).length > 0;

const Problems = (view: CheckoutView) => {
  const { message, errors } = view;
  const fields = Object.entries(errors);
  if (!hasProblems(view)) return null;
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

/** Returns what the main button says: with nothing to pay no provider is asked. */
function payText({ purchase: { totals, currency }, order }: CheckoutView): string {
  if (totals.grandTotal === 0) return 'Place order';
  return `${order === null ? 'Pay' : 'Continue and pay'} ${moneyText(totals.grandTotal, currency)}`;
}

const Actions = (view: CheckoutView) => (
  <div class="actions">
    <button type="submit" class="main" name="action" value="pay">
      {payText(view)}
    </button>
    {view.test && view.purchase.totals.grandTotal > 0 ? (
      <button type="submit" name="action" value="decline" formnovalidate={view.order !== null}>
        Decline the payment (test)
      </button>
    ) : null}
  </div>
);

const Details = ({ view }: { view: CheckoutView }) => {
  const { session, purchase, draft, errors } = view;
  const fields = fieldsOf(session.snapshot);
  const first = fields.find((field) => errors[field]);
  return (
    <form method="post" class="details">
      <input type="hidden" name="shown_total" value={String(purchase.totals.grandTotal)} />
      <AddressChoice saved={view.saved} draft={draft} />
      <fieldset>
        <legend>{fields.includes('line1') ? 'Contact and delivery' : 'Contact'}</legend>
        <div class="fields">
          {fields.map((field) => (
            <Input
              {...FIELDS[field]}
              name={field}
              value={draft[field]}
              error={errors[field]?.[0]}
              required={isRequired(session.snapshot, field, draft.country)}
              focus={field === first}
            />
          ))}
          <div class="wide row">
            <button type="submit" name="action" value="update" formnovalidate>
              Update totals
            </button>
            <span class="soft">Tax and shipping depend on the country.</span>
          </div>
        </div>
      </fieldset>
      {purchase.hasMethods ? (
        <Delivery purchase={purchase} chosen={deliveryOf(session, draft).method} />
      ) : null}
      <Billing open={view.billing} draft={draft} errors={errors} />
      <Note value={draft.note} error={errors.note?.[0]} />
      <Actions {...view} />
    </form>
  );
};

/** An address. Each line has the direction of its script: in Arabic, a city would stand before its postal code. */
const Address = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <>
    <h2>{title}</h2>
    <address>
      {lines.map((line) => (
        <>
          <bdi>{line}</bdi>
          <br />
        </>
      ))}
    </address>
  </>
);

const Ordered = ({ view }: { view: CheckoutView }) => {
  const { draft, order } = view;
  const { email, note, line1 } = draft;
  return (
    <form method="post" class="details">
      <p>
        Order <strong>{order}</strong> is placed and waits for your payment. The items are reserved for you
        meanwhile.
      </p>
      {email === undefined ? null : (
        <Address title={line1 ? 'Contact and delivery' : 'Contact'} lines={[...addressLines(draft), email]} />
      )}
      {hasBilling(draft) ? <Address title="Billing" lines={addressLines(filledBilling(draft))} /> : null}
      {note === undefined ? null : (
        <p>
          Your note: <bdi>{note}</bdi>
        </p>
      )}
      <Actions {...view} />
    </form>
  );
};

/** The form that leaves the checkout, apart from what was typed: nothing of it has to be valid. */
const Cancel = ({ order, hasShop }: CheckoutView) => (
  <form method="post">
    <p>
      <button type="submit" class="quiet" name="action" value="cancel">
        {order !== null ? 'Cancel the order' : `Cancel${hasShop ? ' and go back to the shop' : ''}`}
      </button>
    </p>
  </form>
);

/** The checkout page: order summary, buyer form and actions. */
export const Checkout = ({ branding, view }: { branding: Branding; view: CheckoutView }) => (
  <Frame branding={branding} title="Checkout" hasErrors={hasProblems(view)}>
    {view.test ? (
      <div class="note">
        <p>This is a test: no money is taken.</p>
      </div>
    ) : null}
    <Problems {...view} />
    <div class="columns">
      <Summary purchase={view.purchase} />
      <div class="entry">
        {view.order === null ? <Details view={view} /> : <Ordered view={view} />}
        <Cancel {...view} />
      </div>
    </div>
  </Frame>
);
