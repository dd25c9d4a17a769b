/** `npm run agent`: plays a shopper's assistant that buys in a running shop by the Universal Commerce Protocol. */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatMinorUnits } from '../../client/src/money.ts';
import { readArguments, reasonOf, webUrl, wholeNumber } from '../command-line.ts';
import { Platform } from './platform.ts';
import type { VerifiedEvent } from './verify-event.ts';

/** How often (ms) the checkout is read while the shopper pays. */
const POLL_INTERVAL_MS = 1_000;

const USAGE = `npm run agent [-- --shop http://127.0.0.1:8787/ucp/demo] [--query "coffee for two"] [--wait 0]

  --shop URL   the shop's address: its profile is at URL/.well-known/ucp
  --query Q    what the shopper wants
  --wait S     seconds to wait for the payment and the order's events after the link was printed`;

/** The parts of the protocol's messages that are read here. */
interface Price {
  readonly amount: number;
  readonly currency: string;
}
interface Product {
  readonly title: string;
  readonly variants: readonly {
    readonly id: string;
    readonly title: string;
    readonly price: Price;
    readonly availability?: { readonly available?: boolean };
  }[];
}
interface Total {
  readonly type: string;
  readonly amount: number;
}
interface Message {
  readonly type: string;
  readonly code?: string;
  readonly content: string;
}
interface Body {
  readonly id?: string;
  readonly status?: string;
  readonly currency?: string;
  readonly products?: readonly Product[];
  readonly totals?: readonly Total[];
  readonly messages?: readonly Message[];
  readonly continue_url?: string;
  readonly content?: string;
  /** A checkout's order, once it is paid. */
  readonly order?: { readonly id: string; readonly label: string; readonly permalink_url: string };
  /** The lines of an order. */
  readonly line_items?: readonly {
    readonly item: { readonly title: string };
    readonly quantity: { readonly total: number };
    readonly status: string;
  }[];
}
interface Profile {
  readonly ucp: {
    readonly services: Readonly<Record<string, readonly { transport: string; endpoint: string }[]>>;
    readonly capabilities: Readonly<Record<string, unknown>>;
  };
}

const say = (text: string): void => console.log(text);

/** Formats an amount, which the protocol has in the minor unit of ISO 4217. */
const money = ({ amount, currency }: Price): string => formatMinorUnits(amount, currency, 'en');

/** Calls an operation with a signed request: POST with a payload, else GET. Throws what the shop says if it fails. */
async function call(platform: Platform, endpoint: string, path: string, payload?: object): Promise<Body> {
  const url = new URL(`${endpoint}${path}`);
  const method = payload ? 'POST' : 'GET';
  const body = payload && JSON.stringify(payload);
  const headers = platform.headers(method, url, body);
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  // The protocol's answers are JSON, errors included.
  const answer = (await response.json()) as Body & { ucp?: { status?: string } };
  if (response.ok && answer.ucp?.status !== 'error') return answer;
  const why = answer.content ?? answer.messages?.map(({ content }) => content).join(' ');
  throw new Error(`${path} failed (${response.status}): ${why}`);
}

/** Returns what the shopper's words find; drops words from the end until something is found. */
async function search(platform: Platform, endpoint: string, query: string): Promise<readonly Product[]> {
  const words = query.split(/\s+/).filter(Boolean);
  for (let count = words.length; count > 0; count--) {
    const asked = words.slice(0, count).join(' ');
    const found = (await call(platform, endpoint, '/catalog/search', { query: asked })).products ?? [];
    say(`  "${asked}": ${found.length} products`);
    if (found.length > 0) return found;
  }
  return [];
}

/** A checkout that waits for the shopper's payment. */
interface Unpaid {
  readonly endpoint: string;
  readonly id: string;
}

/** Reads the shop's profile; returns the endpoint of its REST service. Throws if agents can't check out there. */
async function discover(platform: Platform, address: string): Promise<string> {
  platform.shopProfile = `${address}/.well-known/ucp`;
  say(`Discover ${platform.shopProfile}`);
  const response = await fetch(platform.shopProfile).catch(({ cause }: Error) => {
    // fetch's own message is "fetch failed".
    const reason = cause instanceof Error ? ` (${cause.message})` : '';
    throw new Error(`There is no shop at ${address}${reason}: start "npm run dev" first.`);
  });
  if (!response.ok) throw new Error(`There is no profile (${response.status}).`);
  const { ucp } = (await response.json()) as Profile;
  const rest = ucp.services['dev.ucp.shopping']?.find(({ transport }) => transport === 'rest');
  if (!rest) throw new Error('The shop has no REST service.');
  say(`  ${Object.keys(ucp.capabilities).join(', ')}`);
  if (!('dev.ucp.shopping.checkout' in ucp.capabilities)) {
    throw new Error('The shop offers no checkout to agents.');
  }
  return rest.endpoint;
}

/** Buys what the shopper wants, up to the link for the payment. */
async function shop(platform: Platform, address: string, query: string): Promise<Unpaid> {
  const endpoint = await discover(platform, address);
  say(`Search for "${query}"`);
  const products = await search(platform, endpoint, query);
  for (const { title, variants } of products) {
    say(`  ${title}: ${variants[0] ? money(variants[0].price) : ''}`);
  }
  const wanted = products
    .flatMap(({ variants }) => variants)
    .find(({ availability }) => availability?.available !== false);
  if (!wanted) throw new Error('Nothing that can be bought was found.');
  const lines = { line_items: [{ item: { id: wanted.id }, quantity: 2 }] };

  say(`Fill a cart with two of "${wanted.title}"`);
  const cart = await call(platform, endpoint, '/carts', lines);
  showTotals(cart);

  say('Check out');
  const buyer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
  const home = {
    id: 'home',
    street_address: 'Torstraße 1',
    address_locality: 'Berlin',
    postal_code: '10119',
    address_country: 'DE',
    first_name: 'Ada',
    last_name: 'Lovelace',
  };
  const fulfillment = {
    methods: [{ type: 'shipping', destinations: [home], selected_destination_id: 'home' }],
  };
  const checkout = await call(platform, endpoint, '/checkout-sessions', {
    ...lines,
    buyer,
    fulfillment,
  });
  showTotals(checkout);
  for (const { content } of checkout.messages ?? []) say(`  ${content}`);
  say(`Status: ${checkout.status}`);
  say(`Pay here: ${checkout.continue_url}`);
  return { endpoint, id: checkout.id ?? '' };
}

/** Reads the checkout until it is completed, then shows its order. Gives up at `deadline` (ms since the epoch). */
async function awaitPayment(platform: Platform, { endpoint, id }: Unpaid, deadline: number): Promise<void> {
  for (; Date.now() < deadline; await wait(POLL_INTERVAL_MS)) {
    const { status, order } = await call(platform, endpoint, `/checkout-sessions/${id}`);
    if (status !== 'completed' || !order) continue;
    say(`Status: ${status}`);
    const bought = await call(platform, endpoint, `/orders/${order.id}`);
    say(`Order ${order.label}: ${order.permalink_url}`);
    for (const { item, quantity, status: state } of bought.line_items ?? []) {
      say(`  ${quantity.total} × ${item.title}: ${state}`);
    }
    showTotals(bought);
    return;
  }
  say('The checkout is not paid yet.');
}

const showEvent = ({ keyId, order: { label, line_items: lines } }: VerifiedEvent): void =>
  say(
    `Event verified: order ${label} (${lines.map(({ status }) => status).join(', ')}), signed with ${keyId} of the shop's profile`,
  );

function showTotals({ totals = [], currency = 'EUR' }: Body): void {
  for (const { type, amount } of totals) say(`  ${type}: ${money({ amount, currency })}`);
}

const { values } = readArguments(USAGE, () =>
  parseArgs({
    options: {
      shop: { type: 'string', default: 'http://127.0.0.1:8787/ucp/demo' },
      query: { type: 'string', default: 'coffee for two' },
      wait: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h' },
    },
  }),
);
const shopUrl = webUrl('--shop', values.shop);
const waitMs = wholeNumber('--wait', values.wait, 0, 86_400) * 1_000;
const platform = await Platform.start({
  verified: showEvent,
  refused: (reason) => say(`Event refused: ${reason}.`),
});
try {
  const unpaid = await shop(platform, shopUrl, values.query);
  const deadline = Date.now() + waitMs;
  if (waitMs > 0) await awaitPayment(platform, unpaid, deadline);
  // The order's events come in the rest of the time.
  await wait(Math.max(0, deadline - Date.now()));
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
} finally {
  platform.stop();
}
