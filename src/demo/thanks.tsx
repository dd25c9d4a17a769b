import { readToken } from '../access/index.ts';
import { readReturn } from '../checkout/index.ts';
import { database } from '../kernel/data/database.ts';
import { readSecrets, tenantById } from '../tenants/index.ts';
import { getPage, type Page, type PageRequest, When } from '../web/index.ts';
import { brought, remember } from './session.ts';

/** The secret that a storefront is given when it is set up, beside its token; null where it can't be read. */
async function checkoutSecret({ c, env }: PageRequest): Promise<string | null> {
  const shop = readToken(env, c.env.DEMO_TOKEN ?? '');
  if (!shop) return null;
  const db = database(env);
  const secrets = await readSecrets(env, db, await tenantById(db, shop.tenantId));
  return secrets.ok ? (secrets.value.checkout_secret ?? null) : null;
}

/** Where checkout leads back to. Anybody can write an address: only its signature says that it is true. */
const thanksPage = async (request: PageRequest) => {
  const secret = await checkoutSecret(request);
  const order = secret && readReturn(new URL(request.c.req.url).searchParams, secret);
  const paid = order && order.status === 'paid';
  if (paid) remember(request, 'cart', null);
  const body = (
    <>
      {order ? (
        <>
          <p>
            Order {order.number} is {order.status}.
          </p>
          <p class="hint">
            As of <When at={order.at} />
          </p>
        </>
      ) : (
        <p>This address does not carry the signature of the checkout, so it says nothing of any order.</p>
      )}
      <p>
        <a class="button" href="/demo">
          Back to the shop
        </a>{' '}
        {brought(request, 'customer') && <a href="/demo/account">My orders</a>}
      </p>
    </>
  );
  return { title: paid ? 'Thank you' : 'Your order', body };
};

/** The page of the demo shop that its shoppers come back to. */
export const demoThanksPages: readonly Page[] = [
  getPage({ path: '/demo/thanks', audience: 'anyone' }, thanksPage),
];
