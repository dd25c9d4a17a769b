import { formatMoney, type Schemas } from '../../../client/src/index.ts';
import { countryName } from '../../kernel/values/countries.ts';
import { clip, Field, Form, type FormError, HiddenFields, type PageRequest } from '../../web/index.ts';
import { codeReason } from '../frame/code-reason.ts';

type Cart = Schemas['Cart'];

const MAX_NAME_LENGTH = 40;

interface SumsOf {
  readonly totals: Schemas['Totals'];
  readonly currency: string;
  readonly applied_promotions: readonly Schemas['AppliedPromotion'][];
  readonly shipping_method: { readonly id: string } | null;
}

const Row = ({ name, value, kind }: { name: string; value: string; kind?: string }) => (
  <div class={kind}>
    <dt dir="auto">{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** Shipping, by its price; nothing while no method is known, or if nothing is shipped. */
const Shipping = ({ of: { totals, shipping_method: method }, price }: { of: SumsOf; price: string }) =>
  totals.shipping === 0 && !method ? null : (
    <Row name="Shipping" value={totals.shipping === 0 ? 'Free' : price} />
  );

/** The totals of a cart or an order, with each promotion by its name or code. */
export const Sums = ({ of }: { of: SumsOf }) => {
  const { totals, currency, applied_promotions: promotions } = of;
  const money = (amount: number) => formatMoney(amount, currency, 'en');
  const tax = money(totals.tax);
  return (
    <dl class="totals">
      <Row name="Subtotal" value={money(totals.subtotal)} />
      {promotions.map(({ code, name, amount }) => (
        <Row
          name={clip(code ?? name, MAX_NAME_LENGTH)}
          value={amount > 0 ? money(-amount) : 'Free shipping'}
          kind="saving"
        />
      ))}
      <Shipping of={of} price={money(totals.shipping)} />
      {!totals.tax_included && <Row name="Tax" value={tax} />}
      <Row name="Total" value={money(totals.grand_total)} kind="total" />
      {totals.tax_included && <Row name="Tax included" value={tax} kind="soft" />}
    </dl>
  );
};

/** The codes of the cart, each with a button that removes it, and the field for another one. */
const Coupons = ({ request, cart, formError }: CartProps) => (
  <>
    <form method="post" action="/demo/cart/coupon" class="coupon">
      <HiddenFields request={request} />
      <Field
        f={{ request, formError }}
        name="code"
        label="Coupon code"
        required
        attributes={{ maxlength: 50, autocomplete: 'off', autocapitalize: 'characters' }}
      />
      <button type="submit">Apply</button>
    </form>
    {cart.coupons.map((coupon) => (
      <Form request={request} action="/demo/cart/coupon/remove" submit="Remove" about={coupon.code} quiet>
        <input type="hidden" name="code" value={coupon.code} />
        <span>
          <strong>{clip(coupon.code, MAX_NAME_LENGTH)}</strong>
          {!coupon.applies && <small> {codeReason(coupon, cart.currency)}</small>}
        </span>
      </Form>
    ))}
  </>
);

/** The types of products of which nothing is shipped. */
const IMMATERIAL: readonly string[] = ['virtual', 'downloadable', 'booking'];

/** Returns whether anything in a cart may be shipped. */
export const isShipped = ({ items }: Cart): boolean => items.some(({ type }) => !IMMATERIAL.includes(type));

/** Where the cart goes to and how, with a link to change it. */
const Delivery = ({ cart }: { cart: Cart }) => {
  const { shipping_address: to, shipping_method: method } = cart;
  const words = [method && clip(method.name, MAX_NAME_LENGTH), to && `to ${countryName(to.country)}`];
  return (
    <p class="delivery">
      {to
        ? words.filter(Boolean).join(' ')
        : `${isShipped(cart) ? 'Delivery and taxes' : 'Taxes'} depend on your country.`}{' '}
      <a href="/demo/cart/delivery">
        {to ? 'Change' : 'Choose a country'}
        <span class="hidden"> of the delivery</span>
      </a>
    </p>
  );
};

/** The way on: to checkout; for a cart with an order back to paying it, or to a new cart. */
const NextStep = ({ request, cart: { status, order }, formError }: CartProps) => {
  const newCart = { request, action: '/demo/cart/new', submit: 'Start a new cart' };
  const checkout = { request, action: '/demo/checkout' };
  if (order && status === 'ordered') {
    return (
      <>
        <p class="note">Order {order.number} waits for your payment.</p>
        <Form {...checkout} submit="Continue to payment" />
        <Form {...newCart} quiet />
      </>
    );
  }
  if (formError?.code === 'cart_locked' || status !== 'open') {
    return (
      <>
        {order && <p class="note">Order {order.number} is paid.</p>}
        <Form {...newCart} />
      </>
    );
  }
  return <Form {...checkout} submit="Go to checkout" />;
};

/** What the side of the cart is made from. */
export interface CartProps {
  readonly request: PageRequest;
  readonly cart: Cart;
  readonly formError: FormError | null;
}

/** The side of the cart: delivery, coupons, totals and the way to checkout. */
export const CartSummary = (props: CartProps) => {
  const { cart } = props;
  return (
    <section class="panel" aria-labelledby="summary-title">
      <h2 id="summary-title">Order summary</h2>
      <Delivery cart={cart} />
      <Coupons {...props} />
      <Sums of={cart} />
      <NextStep {...props} />
    </section>
  );
};
