import { Webhook } from 'standardwebhooks';
import { afterEach, expect, it, vi } from 'vitest';
import { variableOf } from '../../../src/panel/insights/snippets.ts';
import clientSnippets from '../../../src/panel/insights/snippets.ts?examples';
import { worker } from '../../client/calls.ts';
import { asDeveloper, type Browser } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { sandboxShop } from '../../support/fixtures/selling/checkout.ts';
import { admin, type World, world } from '../../support/world.ts';

/** The quick start: its snippets run as they are shown, once a real token is put in. */

afterEach(() => vi.unstubAllGlobals());

const HERE = '/developer/quick-start';
const MARKS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The code blocks of the page by their ids, as a browser would copy them. */
async function blocks(developer: Browser): Promise<Map<string, string>> {
  const { html } = await developer.get(HERE);
  const found = html.matchAll(/<pre id="([^"]+)"[^>]*>(.*?)<\/pre>/gs);
  return new Map(
    [...found].map(([, id = '', text = '']) => [
      id,
      text.replace(/&([a-z]+|#39);/g, (mark, name) => MARKS[name] ?? mark),
    ]),
  );
}

/** A shop that sells to hosts of its own, with a storefront and a back office. */
async function shopWithApplications() {
  const shop = await sandboxShop();
  await shop.patch('/settings', { checkout: { allowed_hosts: ['shop.example.com'] } });
  const cup = await stockedProduct(shop, { name: 'Cup', price: 12.5 });
  const seller = await admin('POST', `/tenants/${shop.slug}/applications`, {
    name: 'Web shop',
    kind: 'storefront',
  });
  await admin('PATCH', `/tenants/${shop.slug}/applications/${shop.applicationId}`, {
    name: 'Back office',
    scopes: ['webhooks:write', 'webhooks:read', 'orders:read'],
  });
  return { shop, productId: cup.body.id as number, token: seller.body.token as string };
}

/** Splits a shell command into words, with quotes and variables replaced as a shell does. */
function wordsOf(command: string, variables: Readonly<Record<string, string>>): string[] {
  const words: string[] = [];
  for (const [word] of command.replaceAll('\\\n', ' ').matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"])+/g)) {
    const expanded = word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, (_, plain, quoted: string | undefined) =>
      quoted === undefined
        ? plain
        : quoted
            .replace(/(?<!\\)\$(\w+)/g, (_, name: string) => variables[name] ?? `no ${name}`)
            .replace(/\\(.)/g, '$1'),
    );
    words.push(expanded);
  }
  return words;
}

/** The parts of the responses that the snippets go on with. */
interface Reply {
  readonly data: readonly object[];
  readonly cart_token: string;
  readonly totals: { readonly subtotal: number };
  readonly redirect_url: string;
  readonly secret: string;
}

/** Runs the curl of a snippet against the service. */
async function runCurl(snippet: string, variables: Readonly<Record<string, string>>) {
  const command = snippet
    .split('\n')
    .filter((line) => !/^\w+=/.test(line))
    .join('\n');
  const [curl, url = '', ...rest] = wordsOf(command, variables);
  expect(curl).toBe('curl');
  const headers = new Headers();
  let body: string | undefined;
  for (let at = 0; at < rest.length; at += 2) {
    const [option, value = ''] = rest.slice(at);
    if (option === '-H') headers.append(...(value.split(': ') as [string, string]));
    else if (option === '-d') body = value;
    else throw new Error(`curl ${option}`);
  }
  const response = await worker(url, { method: body ? 'POST' : 'GET', headers, ...(body ? { body } : {}) });
  expect(response.ok, snippet).toBe(true);
  return response.json<Reply>();
}

it('shows curl commands that list, fill a cart, check out and register a webhook', async () => {
  const { shop, token } = await shopWithApplications();
  const shown = await blocks(await asDeveloper(shop.slug));
  const [, base = ''] = /^BASE=(\S+)$/m.exec(shown.get('set-up-curl') ?? '') ?? [];
  expect(shown.get('set-up-curl')).toContain('WEB_SHOP_TOKEN=sfe_live_…   # the token of "Web shop"');
  const variables: Record<string, string> = {
    BASE: base,
    WEB_SHOP_TOKEN: token,
    BACK_OFFICE_TOKEN: shop.token,
  };
  const run = (id: string) => runCurl(shown.get(`${id}-curl`) ?? '', variables);
  expect((await run('products')).data).toMatchObject([{ name: 'Cup' }]);
  const cart = await run('cart');
  expect(cart.totals.subtotal).toBe(12.5);
  variables.CART = cart.cart_token;
  expect((await run('checkout')).redirect_url).toMatch(/^https:\/\/api\.example\.com\/checkout\//);
  expect((await run('webhook')).secret).toMatch(/^whsec_/);
});

it('says where the client comes from, which npm does not find', async () => {
  const { html } = await (await asDeveloper((await sandboxShop()).slug)).get(HERE);
  expect(html).toContain('@storefront-edge/client, is not in the npm registry');
});

it('shows TypeScript that does the same with the client package', async () => {
  const { shop, productId, token } = await shopWithApplications();
  const secret = `whsec_${btoa('a secret of twenty-four b')}`;
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'order.paid',
    timestamp: new Date().toISOString(),
    data: { number: 1001 },
  });
  const request = new Request('https://shop.example.com/hooks', {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', new Date(), body),
    },
  });
  vi.stubGlobal('fetch', worker);
  const said: unknown[][] = [];
  const ran: string[] = [];
  await clientSnippets({
    productId,
    request,
    ran: async (title: string) => ran.push(title),
    process: { env: { WEB_SHOP_TOKEN: token, WEBHOOK_SECRET: secret } },
    console: { log: (...words: unknown[]) => said.push(words) },
  });
  expect(ran).toEqual(['Set up', 'List products', 'Add to the cart', 'Check out', 'Receive a webhook']);
  expect(said).toEqual([[['Cup 12.5 EUR']], [12.5, 'EUR'], [expect.stringMatching(/\/checkout\//)], [1001]]);
  vi.unstubAllGlobals();
  // What has just run is what the page shows.
  const shown = await blocks(await asDeveloper(shop.slug));
  expect(shown.get('cart-client')).toContain(`addItem({ product_id: ${productId}, quantity: 1 })`);
  expect(shown.get('set-up-client')).toContain(`process.env.WEB_SHOP_TOKEN ?? '', // of "Web shop"`);
  expect(shown.get('checkout-client')).toContain("return_url: 'https://shop.example.com/thanks'");
});

it('never contains a token, and lets the developer choose the application', async () => {
  const { shop, token } = await shopWithApplications();
  const second = await shop.register({ kind: 'mobile' });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(`${HERE}?application=${second.id}`);
  expect(html).toContain('APP_TOKEN=sfe_live_…');
  for (const one of [token, shop.token, second.token]) expect(html).not.toContain(one.slice(-20));
});

it('says what is missing in a new shop', async () => {
  const shop: World = await world({ plan: 'starter' });
  await admin('PATCH', `/tenants/${shop.slug}/applications/${shop.applicationId}`, { status: 'passive' });
  const { html } = await (await asDeveloper(shop.slug)).get(HERE);
  for (const text of [
    'no application that can sell',
    'no simple product',
    'no webhooks',
    'only to hosts that you name',
    'takes no payments yet',
  ]) {
    expect(html).toContain(text);
  }
  expect(html).toContain('href="/developer/settings/checkout"');
});

it('asks a shop with a checkout of its own for no payment provider', async () => {
  const shop = await world();
  const external_url = 'https://shop.example.com/pay';
  await shop.patch('/settings', { checkout: { allowed_hosts: ['shop.example.com'], external_url } });
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(HERE)).html).not.toContain('takes no payments yet');
  expect((await developer.get('/developer')).html).toMatch(
    /Set up payments<\/a> <span class="state good">done/,
  );
});

it.each([
  ['Web shop', 'WEB_SHOP_TOKEN'],
  ['  iOS — v2 ', 'IOS_V2_TOKEN'],
  ['Café Zürich', 'CAFE_ZURICH_TOKEN'],
  ['店舗', 'APPLICATION_7_TOKEN'],
  ['7 seas"; rm -rf /', 'APPLICATION_7_TOKEN'],
])('reads the token of %j from %s', (name, variable) => {
  expect(variableOf({ id: 7, name })).toBe(variable);
});
