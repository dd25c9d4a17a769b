import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { app } from '../../../src/app.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { guardUrl } from '../../../src/webhooks/sending/url-guard.ts';
import {
  advanceAndRunAlarm,
  deliveries,
  emitEvent,
  Receiver,
  subscribe,
  until,
  untilNewestIs,
  withResolver,
} from '../../support/fixtures/webhooks.ts';
import { listen } from '../../support/runtime/internet.ts';
import { world } from '../../support/world.ts';

const RESOLVER = 'https://resolver.example.net/dns-query';
const asking: Env = { ...env, DOH_URL: RESOLVER };

type Records = { A?: string[]; AAAA?: string[]; CNAME?: string[] };
const zone = new Map<string, Records | number>();
const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;

/** A resolver with the records of `zone`; a number there is the status of a failure. */
function answer(url: string): Response {
  const { searchParams } = new URL(url);
  const records = zone.get(searchParams.get('name') ?? '');
  if (records === undefined) return Response.json({ Status: 3 });
  if (typeof records === 'number')
    return records >= 400 ? new Response(null, { status: records }) : Response.json({ Status: records });
  const type = searchParams.get('type') as 'A' | 'AAAA';
  const row = (kind: keyof typeof TYPES) =>
    (records[kind] ?? []).map((data) => ({ type: TYPES[kind], data }));
  return Response.json({ Status: 0, Answer: [...row('CNAME'), ...row(type)] });
}

beforeEach(() => {
  zone.clear();
  listen('resolver.example.net', ({ url, headers }) => {
    expect(headers.get('accept')).toBe('application/dns-json');
    return answer(url);
  });
});

const guard = (url: string) => guardUrl(asking, url, { requestUrl: 'https://api.example.com/v1/webhooks' });

describe('the addresses of a host', () => {
  it.each<[string, Records]>([
    ['loopback', { A: ['127.0.0.1'] }],
    ['a private network', { A: ['10.1.2.3'] }],
    ['cloud metadata', { A: ['169.254.169.254'] }],
    ['one private address among public ones', { A: ['93.184.215.14', '192.168.0.1'] }],
    ['a private IPv6 address beside a public IPv4 one', { A: ['93.184.215.14'], AAAA: ['fd00::1'] }],
    ['IPv6 loopback', { AAAA: ['::1'] }],
    ['a mapped address', { AAAA: ['::ffff:10.0.0.1'] }],
    ['NAT64', { AAAA: ['64:ff9b::a00:1'] }],
    ['6to4', { AAAA: ['2002:a00:1::'] }],
    ['Teredo', { AAAA: ['2001:0:a00:1::'] }],
    ['a private address behind an alias', { CNAME: ['inner.example.org.'], A: ['172.20.0.1'] }],
    ['something that is no address', { A: ['localhost'] }],
  ])('rejects %s', async (_name, records) => {
    zone.set('shop.example.org', records);
    expect(await guard('https://shop.example.org/hook')).toMatchObject({ ok: false });
  });

  it('are accepted if public, resolved by the ASCII name', async () => {
    zone.set('xn--mnchen-3ya.example', { A: ['93.184.215.14'], AAAA: ['2606:4700:4700::1111'] });
    zone.set('v6.example.org', { CNAME: ['v6.example.net.'], AAAA: ['2606:4700:4700::1111'] });
    expect(await guard('https://münchen.example/haken?x=1')).toMatchObject({ ok: true, host: 'public' });
    expect(await guard('https://v6.example.org/')).toMatchObject({ ok: true, host: 'public' });
  });

  it('distinguish an unknown name from a failing resolver', async () => {
    zone.set('broken.example.org', 503);
    zone.set('servfail.example.org', 2);
    zone.set('refused.example.org', 5);
    expect(await guard('https://missing.example.org/')).toMatchObject({ ok: true, host: 'nowhere' });
    expect(await guard('https://broken.example.org/')).toMatchObject({ ok: true, host: 'unknown' });
    expect(await guard('https://refused.example.org/')).toMatchObject({ ok: true, host: 'unknown' });
    expect(await guard('https://servfail.example.org/')).toMatchObject({ ok: true, host: 'unresolvable' });
    listen('resolver.example.net', () => new Response('{"Status":"fine"}'));
    expect(await guard('https://shop.example.org/')).toMatchObject({ ok: true, host: 'unknown' });
  });

  it('are no longer asked for once one question has failed', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    listen('resolver.example.net', ({ url, signal }) => {
      signals.push(signal);
      return url.includes('AAAA') ? new Promise(() => undefined) : new Response(null, { status: 503 });
    });
    expect(await guard('https://shop.example.org/')).toMatchObject({ ok: true, host: 'unknown' });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  it('are not resolved for a rejected URL, without a resolver, or in development', async () => {
    listen('resolver.example.net', () => {
      throw new Error('asked');
    });
    const local: Env = { ...asking, DEV_ALLOW_LOCAL_URLS: 'true' };
    expect(await guard('https://127.0.0.1/')).toMatchObject({ ok: false });
    expect(await guardUrl(env, 'https://shop.example.org/')).toMatchObject({ ok: true, host: 'unasked' });
    expect(await guardUrl(local, 'http://localhost:4000/')).toMatchObject({ ok: true, host: 'unasked' });
  });
});

it('rejects a webhook whose host has a special-purpose address', async () => {
  const shop = await world();
  zone.set('rebound.example.org', { A: ['10.0.0.7'] });
  const ctx = createExecutionContext();
  const request = new Request('https://api.example.com/v1/webhooks', {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://rebound.example.org/', events: ['stock.changed'] }),
  });
  const response = await app.fetch(request, asking, ctx);
  await waitOnExecutionContext(ctx);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: { url: [expect.stringContaining('public')] } });
});

it('counts name servers that fail as failures of the receiver, and pauses after five days', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  zone.set(receiver.host, 2);
  const { id } = await subscribe(shop, receiver.url);
  await withResolver(shop, id, ({ url }) => answer(url));
  await emitEvent(shop);
  expect(await untilNewestIs(shop, id, 'failed')).toMatchObject({
    attempts: 1,
    log: [{ error: 'host_lookup_failed', response_status: null }],
  });
  moveClock(5 * 86_400_000);
  await emitEvent(shop);
  const paused = async () => (await shop.get(`/webhooks/${id}`)).body;
  await until(async () =>
    expect(await paused()).toMatchObject({ status: 'paused', paused_reason: 'failing' }),
  );
});

it('resolves again at sending, and does not call a host that now has such an address', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  zone.set(receiver.host, { A: ['127.0.0.1'] });
  const { id } = await subscribe(shop, receiver.url);
  await withResolver(shop, id, ({ url }) => answer(url));
  const errors = async () => (await deliveries(shop, id))[0].log.map(({ error }: { error: string }) => error);
  await emitEvent(shop);
  await untilNewestIs(shop, id, 'failed');
  zone.delete(receiver.host);
  // A verdict holds for a minute.
  await advanceAndRunAlarm(shop, id, 61_000);
  zone.set(receiver.host, 500);
  await advanceAndRunAlarm(shop, id, 400_000);
  expect(await errors()).toEqual(['url_refused', 'host_not_found']);
  expect(receiver.received).toHaveLength(0);
  zone.set(receiver.host, { A: ['93.184.215.14'] });
  await advanceAndRunAlarm(shop, id, 3_600_000);
  expect(await untilNewestIs(shop, id, 'delivered')).toMatchObject({ attempts: 3 });
});
