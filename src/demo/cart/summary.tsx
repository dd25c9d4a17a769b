import type { Child } from 'hono/jsx';
import { formatMoney, type Schemas } from '../../../client/src/index.ts';
import { countryName } from '../../kernel/core/countries.ts';
import { clip, Field, Form, type FormError, HiddenFields, type PageRequest } from '../../web/index.ts';

type Cart = Schemas['Cart'];

const MAX_NAME_LENGTH = 40;

interface SumsOf {
  readonly totals: Schemas['Totals'];
  readonly currency: string;
  readonly applied_promotions: readonly Schemas['AppliedPromotion'][];
}

/** The totals of a cart or an order, with each promotion by its name or code. */
export const Sums = ({ of: { totals, currency, applied_promotions: promotions } }: { of: SumsOf }) => {
  const money = (amount: number) => formatMoney(amount, currency, 'en');
  const row = (name: Child, amount: number) => (
    <div>
      <dt dir="auto">{name}</dt>
      <dd>{money(amount)}</dd>
    </div>
  );
  return (
    <dl class="totals">
      {row('Subtotal', totals.subtotal)}
      {promotions.map(({ code, name, amount }) =>
        amount > 0
          ? row(clip(code ?? name, MAX_NAME_LENGTH), -amount)
          : row(`${clip(code ?? name, MAX_NAME_LENGTH)} (free shipping)`, 0),
      )}
      {row('Shipping', totals.shipping)}
      {row(totals.tax_included ? 'Tax, included' : 'Tax', totals.tax)}
      {row('Total', totals.grand_total)}
    </dl>
  );
};

/** The codes of the cart, each with a button that removes it, and the field for another one. */
const Coupons = ({ request, cart, trouble }: CartProps) => (
  <>
    <form method="post" action="/demo/cart/coupon" class="coupon">
      <HiddenFields request={request} />
      <Field
        f={{ request, trouble }}
        name="code"
        label="Coupon code"
        required
        attributes={{ maxlength: 50, autocomplete: 'off', autocapitalize: 'characters' }}
      />
      <button type="submit">Apply</button>
    </form>
    {cart.coupons.map(({ code, applies }) => (
      <Form request={request} action="/demo/cart/coupon/remove" submit="Remove" about={code} quiet>
        <input type="hidden" name="code" value={code} />
        <span>
          <strong>{clip(code, MAX_NAME_LENGTH)}</strong>
          {!applies && <small> has no effect on this cart</small>}
        </span>
      </Form>
    ))}
  </>
);

/** Where the cart goes to and how, with a link to change it. */
const Delivery = ({ cart }: { cart: Cart }) => {
  const { shipping_address: to, shipping_method: method } = cart;
  const words = [method && clip(method.name, MAX_NAME_LENGTH), to && `to ${countryName(to.country)}`];
  return (
    <p>
      {words.filter(Boolean).join(' ') || 'Shipping is calculated for your country.'}{' '}
      <a href="/demo/cart/delivery">
        {to ? 'Change' : 'Choose a country'}
        <span class="hidden"> of the delivery</span>
      </a>
    </p>
  );
};

/** What the side of the cart is made from. */
export interface CartProps {
  readonly request: PageRequest;
  readonly cart: Cart;
  readonly trouble: FormError | null;
}

/** The side of the cart: delivery, coupons, totals and the way to checkout. */
export const CartSummary = (props: CartProps) => {
  const { request, cart, trouble } = props;
  return (
    <section class="panel" aria-labelledby="summary-title">
      <h2 id="summary-title">Summary</h2>
      <Delivery cart={cart} />
      <Coupons {...props} />
      <Sums of={cart} />
      <Form
        request={request}
        {...(trouble?.code === 'cart_locked' || cart.status !== 'open'
          ? { action: '/demo/cart/new', submit: 'Start a new cart' }
          : { action: '/demo/checkout', submit: 'Go to checkout' })}
      />
    </section>
  );
};
