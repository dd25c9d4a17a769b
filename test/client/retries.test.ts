import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient, isApiError } from '../../client/src/index.ts';
import { nextPage } from '../../client/src/pages.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { world } from '../support/world.ts';
import { clientWith, recorded, refusal } from './calls.ts';

beforeEach(() => {
  // Without jitter, a backoff is 0.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const list = () => Response.json({ data: [], meta: { page: 1, limit: 20, total: 0, total_pages: 0 } });
const lost = new TypeError('connection lost');

/** A client whose requests get these answers in turn. */
function scripted(...steps: Parameters<typeof recorded>) {
  const { fetch, sent } = recorded(...steps);
  return { client: createClient({ baseUrl: 'https://api.example.com/', token: 't', fetch }), sent };
}

/** The code that a call fails with. */
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error) => (isApiError(error) ? error.code : error),
  );

it('repeats a POST under one key: the lost answer is the stored one', async () => {
  const shop = await world();
  const { body: mug } = await stockedProduct(shop);
  const { fetch, sent } = recorded('real', 'real');
  // The Worker does its work, and the answer gets lost on its way.
  let losses = 2;
  const client = clientWith(shop.token, {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (losses-- > 0) throw lost;
      return response;
    },
  });
  const cart = await client.cart.addItem({ product_id: mug.id, quantity: 1 });
  expect(cart.items.map(({ quantity }) => quantity)).toEqual([1]);
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  await client.cart.addItem({ product_id: mug.id, quantity: 1 });
  expect(sent.at(-1)?.headers.get('idempotency-key')).not.toBe(keys[0]);
});

it('waits for as long as Retry-After says', async () => {
  vi.useFakeTimers();
  const { client, sent } = scripted(refusal(429, 'rate_limited', { 'Retry-After': '7' }), list());
  const done = client.products.list();
  await vi.advanceTimersByTimeAsync(6_900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect((await done).data).toEqual([]);
  expect(sent).toHaveLength(2);
});

it('waits until the date of a Retry-After, and not at all where that is over', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-27T12:00:00Z') });
  const until = (time: string) =>
    refusal(503, 'unavailable', { 'Retry-After': `Fri, 27 Nov 2026 ${time} GMT` });
  const { client, sent } = scripted(until('12:00:07'), until('11:00:00'), list());
  const done = client.products.list();
  await vi.advanceTimersByTimeAsync(6_900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect((await done).data).toEqual([]);
  expect(sent).toHaveLength(3);
});

it('waits longer before each retry where the service names no time', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  const { fetch } = recorded(lost, lost, lost, lost, lost, lost, list());
  const sentAt: number[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com',
    token: 't',
    retries: 6,
    fetch: (url, init) => {
      sentAt.push(Date.now());
      return fetch(url, init);
    },
  });
  const done = client.products.list();
  await vi.runAllTimersAsync();
  await done;
  const waits = sentAt.slice(1).map((at, n) => at - (sentAt[n] ?? 0));
  expect(waits.map((wait) => Math.round(wait / 100) / 10)).toEqual([0.3, 0.6, 1.2, 2.4, 4.8, 5]);
});

it('leaves a long wait to the caller', async () => {
  const { client, sent } = scripted(refusal(429, 'rate_limited', { 'Retry-After': '59' }));
  const error = await client.products.list().catch((caught: unknown) => caught);
  expect(isApiError(error, 'rate_limited') && error.retryAfterSeconds).toBe(59);
  expect(sent).toHaveLength(1);
});

it('retries what may be repeated, a bounded number of times', async () => {
  const down = () => refusal(503, 'unavailable', { 'Retry-After': '0' });
  const cases = [
    { steps: [lost, down(), list()], call: 'list', sent: 3, code: 'none' },
    { steps: [lost, lost, lost, list()], call: 'list', sent: 3, code: 'network_error' },
    { steps: [down(), down(), down()], call: 'list', sent: 3, code: 'unavailable' },
    { steps: [refusal(500, 'internal_error')], call: 'list', sent: 1, code: 'internal_error' },
    { steps: [down()], call: 'update', sent: 1, code: 'unavailable' },
    { steps: [lost], call: 'update', sent: 1, code: 'network_error' },
    {
      steps: [refusal(429, 'rate_limited', { 'Retry-After': '0' }), list()],
      call: 'update',
      sent: 2,
      code: 'none',
    },
    { steps: [lost, refusal(409, 'idempotency_in_progress'), list()], call: 'create', sent: 3, code: 'none' },
    { steps: [refusal(409, 'sku_taken')], call: 'create', sent: 1, code: 'sku_taken' },
    { steps: [new Response('<html>', { status: 502 }), list()], call: 'list', sent: 2, code: 'none' },
    { steps: [new Response('<html>', { status: 520 })], call: 'list', sent: 1, code: 'invalid_response' },
  ] as const;
  for (const [at, { steps, call, sent: count, code }] of cases.entries()) {
    const { client, sent } = scripted(...steps);
    const calls = {
      list: () => client.products.list(),
      update: () => client.products.update({ id: 1, price: 1 }),
      create: () => client.products.create({ name: 'Mug', type: 'simple', price: 1 }),
    };
    expect(await codeOf(calls[call]()), `case ${at}`).toBe(code);
    expect(sent.length, `case ${at}`).toBe(count);
  }
});

it('reports what another service responds as invalid_response', async () => {
  const others = [
    Response.json({ detail: 'Not Found' }, { status: 404 }),
    Response.json(null, { status: 401 }),
    Response.json('no', { status: 400 }),
    new Response('<html>', { status: 404 }),
    new Response('', { status: 200 }),
    new Response('', { status: 301 }),
  ];
  for (const response of others) {
    const { client } = scripted(response);
    const error = await client.products.list().catch((caught: unknown) => caught);
    expect(isApiError(error, 'invalid_response') && error.status).toBe(response.status);
    expect(error).toHaveProperty('message', expect.stringMatching(/not a response of this API/));
  }
});

it('takes a base URL with slashes at its end', async () => {
  const { fetch, sent } = recorded(list());
  await createClient({ baseUrl: 'https://api.example.com//', token: 't', fetch }).products.list();
  expect(sent[0]?.url).toBe('https://api.example.com/v1/products');
});

it('ends an attempt after the timeout, and the whole call when it is aborted', async () => {
  vi.useFakeTimers();
  const client = createClient({
    baseUrl: 'https://api.example.com',
    token: 't',
    retries: 1,
    timeoutMs: 2_000,
    fetch: (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  const late = codeOf(client.products.list());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await late).toBe('timeout');

  const controller = new AbortController();
  const aborted = codeOf(client.products.list({}, { signal: controller.signal }));
  const reason = new Error('the page was left');
  controller.abort(reason);
  expect(await aborted).toBe(reason);
});

it('ends the wait before a retry when the call is aborted', async () => {
  const { client, sent } = scripted(refusal(429, 'rate_limited', { 'Retry-After': '15' }));
  const controller = new AbortController();
  const reason = new Error('the page was left');
  const call = codeOf(client.products.list({}, { signal: controller.signal }));
  while (sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(reason);
  expect(await call).toBe(reason);
});

it('does not begin to wait when the call was aborted while the response arrived', async () => {
  const controller = new AbortController();
  const reason = new Error('the page was left');
  const response = refusal(429, 'rate_limited', { 'Retry-After': '15' });
  const body = await response.clone().text();
  response.text = async () => {
    controller.abort(reason);
    return body;
  };
  const { client } = scripted(response);
  const call = codeOf(client.products.list({}, { signal: controller.signal }));
  const early = new Promise((resolve) => setTimeout(() => resolve('still waiting'), 1_000));
  expect(await Promise.race([call, early])).toBe(reason);
});

it('fails with an AbortError where signals have no reason, as in React Native', async () => {
  const { client, sent } = scripted(refusal(429, 'rate_limited', { 'Retry-After': '15' }));
  const controller = new AbortController();
  Object.defineProperty(controller.signal, 'reason', { value: undefined });
  const call = client.products.list({}, { signal: controller.signal }).catch((caught: unknown) => caught);
  while (sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort();
  expect(await call).toMatchObject({ name: 'AbortError' });
});

it('follows pages and cursors to the end of a list', () => {
  const data: unknown[] = [];
  expect(nextPage('page', { data, meta: { page: 1, total_pages: 2 } })).toBe(2);
  expect(nextPage('page', { data, meta: { page: 2, total_pages: 2 } })).toBeNull();
  expect(nextPage('page', { data, meta: { page: 1, total_pages: 0 } })).toBeNull();
  expect(nextPage('cursor', { data, meta: { page: 1, total_pages: 9, next_cursor: 'c2' } })).toBe('c2');
  expect(nextPage('cursor', { data, meta: { next_cursor: null } })).toBeNull();
  expect(nextPage('', { data })).toBeNull();
});

it('aborts a call that waits for the call that makes the cart', async () => {
  const pending = Promise.withResolvers<Response>();
  const fetch = () => pending.promise;
  const client = createClient({ baseUrl: 'https://api.example.com', token: 't', retries: 0, fetch });
  const first = codeOf(client.cart.addItem({ product_id: 1, quantity: 1 }));
  const reason = new Error('The page was left.');
  const controller = new AbortController();
  const { signal } = controller;
  const second = codeOf(client.cart.addItem({ product_id: 2, quantity: 1 }, { signal }));
  controller.abort(reason);
  const late = new Promise((resolve) => setTimeout(resolve, 500, 'still waiting'));
  expect(await Promise.race([second, late])).toBe(reason);
  pending.resolve(refusal(404, 'product_not_found'));
  expect(await first).toBe('product_not_found');
});
