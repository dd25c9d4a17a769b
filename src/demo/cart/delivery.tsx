import { z } from 'zod';
import { formatMoney, type Schemas } from '../../../client/src/index.ts';
import { deliveryTimeText } from '../../kernel/values/delivery-time.ts';
import {
  clip,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  type View,
} from '../../web/index.ts';
import { attempt, attemptAsGuest } from '../frame/attempt.ts';
import { CountryChoice } from '../frame/country-choice.tsx';
import { shopOf } from '../frame/session.ts';
import { NO_CART } from './cart-page.tsx';
import { isShipped } from './summary.tsx';

type Method = Schemas['ShippingMethod'];

const Methods = ({
  request,
  methods,
  cart,
}: {
  request: PageRequest;
  methods: readonly Method[];
  cart: Schemas['Cart'];
}) =>
  methods.length === 0 ? (
    <p class="note">
      {isShipped(cart) ? 'Nothing is delivered to this country.' : 'Nothing in your cart is shipped.'}
    </p>
  ) : (
    <Form request={request} action="/demo/cart/delivery/method" submit="Use this method">
      <fieldset>
        <legend>How should it be delivered?</legend>
        {methods.map((method) => (
          <label class="choice">
            <input type="radio" name="method" value={method.id} checked={method.selected} required />
            <span dir="auto">
              {clip(method.name, 60)}
              <small>
                {[deliveryTimeText(method), clip(method.description ?? '', 120)].filter(Boolean).join(' · ')}
              </small>
            </span>
            <span class="price">
              {method.price === 0 ? 'Free' : formatMoney(method.price, cart.currency, 'en')}
            </span>
          </label>
        ))}
      </fieldset>
    </Form>
  );

const deliveryPage = async (request: PageRequest, formError: FormError | null): Promise<View | Outcome> => {
  const client = shopOf(request);
  if (!client.session.cartToken) return NO_CART;
  const [cart, methods] = await Promise.all([
    attemptAsGuest(() => client.cart.get()),
    attempt(client.cart.listShippingMethods()),
  ]);
  if (!cart.ok) return NO_CART;
  const { shipping_address: to } = cart.value;
  const body = (
    <>
      <Form request={request} action="/demo/cart/delivery" submit="Show delivery and taxes">
        <CountryChoice f={{ request, formError }} value={to?.country} />
      </Form>
      {methods.ok && to && <Methods request={request} methods={methods.value.data} cart={cart.value} />}
      <p>
        <a href="/demo/cart">Back to the cart</a>
      </p>
    </>
  );
  return { title: 'Delivery', trail: [['/demo/cart', 'Your cart']], body };
};

const Country = z.object({ country: z.string() });

/** Sets the country; the rest of the address is entered at checkout. */
async function setCountry(request: PageRequest, { country }: z.output<typeof Country>): Promise<Outcome> {
  const { cart, session } = shopOf(request);
  if (!session.cartToken) return NO_CART;
  const set = await attemptAsGuest(() =>
    // The API refuses a country that isn't one.
    cart.setShippingAddress({ country: country as Schemas['Country'] }),
  );
  return set.ok ? { to: '/demo/cart/delivery', note: 'saved' } : set;
}

const Method = z.object({ method: z.string() });

async function setMethod(request: PageRequest, { method }: z.output<typeof Method>): Promise<Outcome> {
  const { cart, session } = shopOf(request);
  if (!session.cartToken) return NO_CART;
  const set = await attemptAsGuest(() => cart.setShippingMethod({ id: method }));
  return set.ok ? { to: '/demo/cart', note: 'saved' } : set;
}

const at = (path: string) => ({ path: `/demo/cart/delivery${path}`, audience: 'anyone' }) as const;

/** Where the cart is delivered to, and how. */
export const deliveryPages: readonly Page[] = [
  getPage(at(''), deliveryPage),
  form({ ...at(''), form: Country }, deliveryPage, setCountry),
  form({ ...at('/method'), form: Method }, deliveryPage, setMethod),
];
