import { type CheckoutReturn, verifyCheckoutReturn } from '../../../client/src/index.ts';
import { readToken } from '../../access/index.ts';
import { database } from '../../kernel/data/database.ts';
import { readSecrets, requireTenant } from '../../tenants/index.ts';
import { getPage, type Page, type PageRequest, When } from '../../web/index.ts';
import { attemptAsGuest } from '../frame/attempt.ts';
import { shopOf, thanksUrl } from '../frame/session.ts';

/** Returns the tenant's checkout secret, which a storefront is configured with; null when it can't be read. */
async function checkoutSecret({ c, env }: PageRequest): Promise<string | null> {
  const shop = readToken(env, c.env.DEMO_TOKEN ?? '');
  if (!shop) return null;
  const db = database(env, shop.tenantId);
  const secrets = await readSecrets(env, db, await requireTenant({ db, tenantId: shop.tenantId }));
  return secrets.ok ? (secrets.value.checkout_secret ?? null) : null;
}

/** Drops the browser's cart if it is the order's. The page may be loaded again while the next cart is being filled. */
async function dropCartOf(request: PageRequest, orderId: string): Promise<void> {
  const client = shopOf(request);
  if (!client.session.cartToken) return;
  const cart = await attemptAsGuest(() => client.cart.get());
  if (cart.ok && cart.value.order?.id === orderId) client.setSession({ cartToken: null });
}

/** The state that an order had when its shopper left the checkout. */
const OrderState = ({ order }: { readonly order: CheckoutReturn }) => (
  <>
    <p class="lead">
      {order.status === 'paid'
        ? `We have received your payment. Your order number is ${order.orderNumber}.`
        : `Order ${order.orderNumber} is ${order.status}.`}
    </p>
    <p class="hint">
      As of <When at={order.at} />
    </p>
  </>
);

const NoOrder = () => (
  <p class="lead">
    No order is shown, because this link does not come from the checkout. Your account lists all your orders.
  </p>
);

/** The return page of checkout. It trusts the order in the URL only if the signature is valid. */
const thanks = async (request: PageRequest) => {
  const secret = await checkoutSecret(request);
  const order = secret && (await verifyCheckoutReturn(request.c.req.url, secret));
  const paid = order && order.status === 'paid';
  if (paid) await dropCartOf(request, order.orderId);
  const hosted = paid ? thanksUrl(request) : null;
  const customer = shopOf(request).session.customerToken;
  const body = (
    <div class="entry">
      {order ? <OrderState order={order} /> : <NoOrder />}
      <p class="row">
        {hosted && (
          <a class="button" href={hosted}>
            Downloads and delivery
          </a>
        )}
        <a class={hosted ? undefined : 'button'} href="/demo">
          Back to the shop
        </a>
        {customer && <a href="/demo/account">My orders</a>}
      </p>
    </div>
  );
  return { title: paid ? 'Thank you' : 'Your order', body };
};

/** The page after checkout. */
export const thanksPage: Page = getPage({ path: '/demo/thanks', audience: 'anyone' }, thanks);
