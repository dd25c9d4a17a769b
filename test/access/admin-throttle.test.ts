import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { fetchWith, recordedBindings } from '../support/faults/bindings.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { send } from '../support/world.ts';

const call = (token: string, address: string) =>
  send('GET', '/admin/v1/tenants', { token, headers: { 'cf-connecting-ip': address } });

it('checks ten wrong super-admin tokens from one network, then one every thirty seconds', async () => {
  stopClock();
  const codes = new Map<number, number>();
  for (let count = 0; count < 200; count++) {
    const { status } = await call(`wrong ${count}`, `2001:db8:a:b::${count.toString(16)}`);
    codes.set(status, (codes.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(codes)).toEqual({ 401: 10, 429: 190 });
  // Guessing does not go on by being right.
  const right = await call(env.SUPER_ADMIN_TOKEN, '2001:db8:a:b::1');
  expect([right.status, right.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(right.headers.get('retry-after'))).toBeLessThanOrEqual(30);
  // The owner elsewhere notices nothing.
  expect((await call(env.SUPER_ADMIN_TOKEN, '2001:db8:a:c::1')).status).toBe(200);
  moveClock(30_000);
  expect((await call('wrong', '2001:db8:a:b::1')).status).toBe(401);
  expect((await call('wrong', '2001:db8:a:b::1')).status).toBe(429);
  moveClock(30_000);
  expect((await call(env.SUPER_ADMIN_TOKEN, '2001:db8:a:b::1')).status).toBe(200);
  // The right token starts the network anew.
  expect((await call('wrong', '2001:db8:a:b::1')).status).toBe(401);
});

it('slows nobody down for calls without a token', async () => {
  for (let count = 0; count < 12; count++) expect((await call('', '203.0.113.6')).status).toBe(401);
  expect((await call(env.SUPER_ADMIN_TOKEN, '203.0.113.6')).status).toBe(200);
});

it('lets the super-admin in from an unknown network, whoever guesses from others', async () => {
  const unknown = (token: string) => send('GET', '/admin/v1/tenants', { token });
  for (let count = 0; count < 12; count++) expect((await unknown(`wrong ${count}`)).status).toBe(401);
  expect((await unknown(env.SUPER_ADMIN_TOKEN)).status).toBe(200);
});

it.each([undefined, ''])('lets nobody in where the token is %j', async (SUPER_ADMIN_TOKEN) => {
  const bindings: Env = Object.assign({ ...env }, { SUPER_ADMIN_TOKEN });
  for (const token of [null, '', 'undefined']) {
    expect((await fetchWith(bindings, 'GET', '/admin/v1/tenants', token)).status).toBe(401);
  }
});

it('counts an IPv4-mapped IPv6 address as the IPv4 address', async () => {
  stopClock();
  for (let count = 0; count < 10; count++) await call('wrong', '203.0.113.5');
  expect((await call('wrong', '::ffff:203.0.113.5')).status).toBe(429);
});

it('does not access storage for a wrong token', async () => {
  const watch = recordedBindings();
  const headers = { 'cf-connecting-ip': '203.0.113.77' };
  for (let count = 0; count < 12; count++) {
    await fetchWith(watch.env, 'GET', '/admin/v1/tenants', 'wrong', { headers });
  }
  expect(watch.calls).toEqual([]);
});
