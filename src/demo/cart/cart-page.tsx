import {
  type FormError,
  type Outcome,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  type View,
} from '../../web/index.ts';
import { entryPath } from '../account/tabs.tsx';
import { attemptAsGuest, isLost } from '../frame/attempt.ts';
import { countItems, shopOf } from '../frame/session.ts';
import { Line } from './line.tsx';
import { type CartProps, CartSummary } from './summary.tsx';

const PAGE_SIZE = 6;
const MAX_WARNINGS_SHOWN = 5;

/** Returns the path of a page of the cart. */
export const cartPath = (page: number): string => (page > 1 ? `/demo/cart?page=${page}` : '/demo/cart');

/** Shows an empty cart, after a form of a page that was loaded while the browser had another one. */
export const NO_CART: Outcome = { to: cartPath(1) };

/** Says whether the cart is kept in an account. */
const CartOwner = ({ request }: { request: PageRequest }) =>
  shopOf(request).session.customerToken ? (
    <p class="soft">
      You are signed in. Your cart is saved in <a href="/demo/account">your account</a>.
    </p>
  ) : (
    <p class="soft">
      <a href={entryPath('login', cartPath(1))}>Sign in</a> or{' '}
      <a href={entryPath('register', cartPath(1))}>create an account</a> to keep this cart and see your
      orders. You can check out without one.
    </p>
  );

/** What changed since the shopper last saw the cart. */
const Warnings = ({ cart: { warnings } }: CartProps) => (
  <>
    {warnings.slice(0, MAX_WARNINGS_SHOWN).map(({ message }) => (
      <p class="note">{message}</p>
    ))}
    {warnings.length > MAX_WARNINGS_SHOWN && (
      <p class="note">{warnings.length - MAX_WARNINGS_SHOWN} more of your items have changed.</p>
    )}
  </>
);

const FilledCart = (props: CartProps) => {
  const { request, cart, formError } = props;
  const { shown, meta } = pageOf(cart.items, pageAsked(request), PAGE_SIZE);
  return (
    <div class="columns">
      <div>
        <Warnings {...props} />
        <ul class="rows">
          {shown.map((item) => (
            <Line
              request={request}
              item={item}
              currency={cart.currency}
              page={meta.page}
              formError={formError}
            />
          ))}
        </ul>
        {meta.total_pages > 1 && <Pages meta={meta} href={cartPath} />}
        <CartOwner request={request} />
      </div>
      <CartSummary {...props} />
    </div>
  );
};

/** Renders the browser's cart. One that is no longer usable is shown empty; one that can't be read is an error. */
export async function cartPage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const client = shopOf(request);
  const answer = client.session.cartToken ? await attemptAsGuest(() => client.cart.get()) : null;
  if (answer?.ok === false && !isLost(answer.formError)) return answer;
  const cart = answer?.ok ? answer.value : null;
  countItems(request, cart);
  const body =
    cart && cart.items.length > 0 ? (
      <FilledCart request={request} cart={cart} formError={formError} />
    ) : (
      <>
        <div class="empty">
          <p>Your cart is empty.</p>
          <p>
            <a class="button" href="/demo/products">
              Continue shopping
            </a>
          </p>
        </div>
        <CartOwner request={request} />
      </>
    );
  return { title: 'Your cart', body };
}
