import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, SERVICE } from '../../build/bundle.ts';
import { type Client, client } from '../../dev/client.ts';
import { migrate } from '../../dev/server.ts';
import { openOutside } from '../outside.ts';

/**
 * The service as it is deployed, bundled into dist/`name`, with a shop in it that sells in the sandbox. Tests that run
 * side by side need different names.
 */
export async function openShop(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'storefront-edge-'));
  const admin = randomBytes(20).toString('hex');
  const secret = randomBytes(20).toString('hex');
  await migrate(folder);
  const vars = {
    SUPER_ADMIN_TOKEN: admin,
    MASTER_KEY_V1: randomBytes(32).toString('base64'),
    DEV_ALLOW_LOCAL_URLS: 'true',
  };
  const worker = await run(SERVICE, name, vars, { folder });
  const shop = await openOutside();
  const base = worker.url.origin;
  const platform = client(base, admin);
  await platform('POST', '/admin/v1/tenants', {
    slug: 'harbour',
    name: 'Harbour Street Coffee',
    currency: 'EUR',
    plan: 'growth',
    settings: {
      tax: { mode: 'inclusive', rate_percent: 19, rates_by_country: { AT: 20 } },
      shipping: { flat: 4.9, free_over: 60, by_country: { CH: { flat: 12 } } },
      payments: 'sandbox',
    },
  });
  const made = await platform<{ token: string }>('POST', '/admin/v1/tenants/harbour/applications', {
    name: 'Browser',
    kind: 'integration',
  });
  const api = client(base, made.token);
  await api('PATCH', '/v1/settings', { secrets: { checkout_secret: secret } });
  return {
    base,
    token: made.token,
    api,
    secret,
    shop: shop.url,
    stop: async () => {
      shop.stop();
      await worker.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** What can be sold of a product, once it is so many: figures of the catalogue may be 10 seconds old. */
export async function stockIs(api: Client, product: number, stock: number): Promise<void> {
  let last = -1;
  for (const begun = Date.now(); Date.now() - begun < 60_000; ) {
    last = (await api<{ stock: number }>('GET', `/v1/products/${product}`)).stock;
    if (last === stock) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`The stock is ${last}, not ${stock}`);
}

/** A cart with so many of a product, and the URL that its shopper is sent to. */
export async function checkout({ api, shop }: Shop, items: readonly { id: number; quantity: number }[]) {
  let token: string | null = null;
  for (const { id, quantity } of items) {
    const cart: { cart_token: string } = await api('POST', '/v1/cart/items', {
      cart_token: token,
      product_id: id,
      quantity,
    });
    token = cart.cart_token;
  }
  const { redirect_url } = await api<{ redirect_url: string }>('POST', '/v1/checkout/seamless', {
    cart_token: token,
    return_url: `${shop}/thanks`,
    cancel_url: `${shop}/cart`,
  });
  return redirect_url;
}
