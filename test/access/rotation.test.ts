import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { applicationById } from '../../src/access/store.ts';
import { HOUR, moveClock } from '../../src/kernel/core/clock.ts';
import { database } from '../../src/kernel/data/database.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { admin, send, type World, world } from '../support/world.ts';

/** Rotating a token: every earlier secret lives its own 24 hours, and all share one limit. */

const own = (shop: World) => `/tenants/${shop.slug}/applications/${shop.applicationId}`;
const rotate = async (shop: World): Promise<string> =>
  (await admin('POST', `${own(shop)}/rotate`)).body.token;
const reads = async (token: string) => (await send('GET', '/v1/theme/options', { token })).status;
const readsOf = (tokens: string[]) => Promise.all(tokens.map(reads));

it('keeps each earlier secret valid for its own 24 hours, however often the token is rotated', async () => {
  const shop = await world();
  const second = await rotate(shop);
  moveClock(HOUR);
  const third = await rotate(shop);
  const all = [shop.token, second, third];
  expect(await readsOf(all)).toEqual([200, 200, 200]);
  moveClock(22.9 * HOUR);
  expect(await readsOf(all)).toEqual([200, 200, 200]);
  moveClock(0.2 * HOUR);
  expect(await readsOf(all)).toEqual([401, 200, 200]);
  moveClock(1 * HOUR);
  expect(await readsOf(all)).toEqual([401, 401, 200]);
});

it('keeps at most ten earlier secrets, and rejects a rotation until the oldest has expired', async () => {
  const shop = await world();
  const tokens = [shop.token];
  for (let n = 0; n < 10; n++) tokens.push(await rotate(shop));
  expect(await readsOf(tokens)).toEqual(tokens.map(() => 200));
  const refused = await admin('POST', `${own(shop)}/rotate`);
  expectProblem(refused, 409, 'quota_exceeded');
  expect(refused.body.details).toEqual({ quota: 'earlier_tokens', limit: 10 });
  expect(await readsOf(tokens)).toEqual(tokens.map(() => 200));
  moveClock(24 * HOUR + 1_000);
  expect(await reads(await rotate(shop))).toBe(200);
  expect(await reads(tokens[0] ?? '')).toBe(401);
});

it('stores no earlier secret that has expired', async () => {
  const shop = await world();
  for (let n = 0; n < 3; n++) await rotate(shop);
  moveClock(24 * HOUR + 1_000);
  await rotate(shop);
  const { tenantId, applicationId } = shop;
  const stored = await applicationById({ tenantId, db: database(env, tenantId) }, applicationId);
  expect(stored).toMatchObject({ ok: true, value: { earlierTokens: [{}] } });
});

it('loses no secret in concurrent rotations', async () => {
  const shop = await world();
  const made = await Promise.all(Array.from({ length: 4 }, () => rotate(shop)));
  expect(await readsOf([shop.token, ...made])).toEqual([200, 200, 200, 200, 200]);
});

it('counts the requests of all secrets under one limit', async () => {
  const shop = await world({ application: { rate_limit_per_minute: 30 } });
  const tokens = [shop.token, await rotate(shop), await rotate(shop)];
  const statuses: number[] = [];
  for (let n = 0; n < 36; n++) statuses.push(await reads(tokens[n % 3] ?? ''));
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
});
