import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { deleteRows } from '../../../src/kernel/data/chore.ts';
import { database } from '../../../src/kernel/data/database.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import {
  forgetKeys,
  listKeys,
  MAX_KEYS,
  PUBLISHED_AFTER_MS,
  PUBLISHED_AHEAD_MS,
  rotateKey,
  signingKey,
  signingKeys,
} from '../../../src/ucp/keys/signing-keys.ts';
import { verifyingKey } from '../../../src/ucp/signatures/jwk.ts';
import { databaseOf, storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

let tenant: ReturnType<typeof tenantContext>;

beforeEach(async () => {
  const shop = await world();
  tenant = tenantContext({ env, ctx: createExecutionContext() }, shop.tenantId);
});

const kids = async () => (await signingKeys(tenant)).map(({ kid }) => kid);
const rotate = async (compromised = false) => {
  const rotated = await rotateKey(tenant, { compromised });
  if (!rotated.ok) throw new Error(rotated.failure.code);
  return rotated.value?.kid ?? null;
};

/** Signs a text with the current key, and verifies it with the profile's. */
async function signs(): Promise<string | null> {
  const { kid, key } = await signingKey(tenant);
  const text = new TextEncoder().encode('text');
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, text);
  const jwk = (await signingKeys(tenant)).find((one) => one.kid === kid);
  const verifier = jwk && (await verifyingKey(jwk));
  return (await verifier?.verify(new Uint8Array(signature), 'text')) ? kid : null;
}

describe('signing keys', () => {
  it('are made on the first use, once', async () => {
    const all = await Promise.all([kids(), kids(), kids()]);
    expect(new Set(all.flat()).size).toBe(1);
    expect(await signs()).toBe(all[0]?.[0]);
  });

  it('publish no private part, and store it sealed', async () => {
    const [key] = await signingKeys(tenant);
    expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    const [row] = await listKeys(tenant);
    expect(row?.privateKey).toMatch(/^v1\.[\w-]+$/);
  });

  it('are rotated without a gap', async () => {
    const first = await signs();
    const second = await rotate();
    expect(await kids()).toEqual([first, second]);
    expect(await signs()).toBe(first);
    moveClock(PUBLISHED_AHEAD_MS);
    expect(await signs()).toBe(second);
    moveClock(PUBLISHED_AFTER_MS - MINUTE);
    expect(await kids()).toEqual([first, second]);
    moveClock(2 * MINUTE);
    expect(await kids()).toEqual([second]);
    await deleteRows(databaseOf(tenant), forgetKeys);
    const { results } = await storeOf(tenant)
      .prepare('SELECT kid FROM ucp_keys WHERE tenant_id = ?')
      .bind(tenant.tenantId)
      .all();
    expect(results).toEqual([{ kid: second }]);
  });

  it('can be replaced at once when one is compromised', async () => {
    await signs();
    await rotate();
    const next = await rotate(true);
    expect(await kids()).toEqual([next]);
    expect(await signs()).toBe(next);
  });

  it('are bounded in number, also by concurrent rotations', async () => {
    await signs();
    const rotated = await Promise.all(
      Array.from({ length: MAX_KEYS + 1 }, () => rotateKey(tenant, { compromised: false })),
    );
    expect(rotated.filter(({ ok }) => ok)).toHaveLength(MAX_KEYS - 1);
    expect(await kids()).toHaveLength(MAX_KEYS);
    const refused = rotated.find(({ ok }) => !ok);
    expect(refused).toMatchObject({ failure: { code: 'quota_exceeded' } });
    moveClock(9 * DAY);
    expect(await kids()).toHaveLength(1);
    await rotate();
  });

  it('sign in their order when two follow each other', async () => {
    const first = await signs();
    const second = await rotate();
    moveClock(HOUR / 2);
    const third = await rotate();
    moveClock(HOUR / 2);
    expect(await signs()).toBe(second);
    moveClock(HOUR / 2);
    expect(await signs()).toBe(third);
    const keys = await listKeys(tenant);
    const endOf = (key: string | null) => keys.find(({ kid }) => kid === key)?.endsAt ?? 0;
    expect(endOf(second)).toBeGreaterThan(now() + 7 * DAY);
    // No later rotation keeps an earlier key published for longer.
    expect(endOf(first)).toBeLessThan(endOf(second));
  });

  it("are each tenant's own", async () => {
    const mine = await kids();
    const { tenantId } = await world();
    const others = { env, db: database(env, tenantId), tenantId };
    const theirs = await signingKeys(others);
    expect(theirs.map(({ kid }) => kid)).not.toEqual(mine);
    await rotate(true);
    expect((await signingKeys(others))[0]?.kid).toBe(theirs[0]?.kid);
  });
});
