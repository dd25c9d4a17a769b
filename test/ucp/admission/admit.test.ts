import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import type { AgentRequest } from '../../../src/ucp/context.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import { Platform } from '../../support/fixtures/agents/platform.ts';
import { makeSigner } from '../../support/fixtures/agents/signer.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { type World, world } from '../../support/world.ts';
import { CART, outcomeOf, SETTINGS, type Sent, send, signed } from './admission.ts';

let shop: World;
let platform: Platform;
beforeEach(async () => {
  [shop, platform] = await Promise.all([world({ settings: SETTINGS }), Platform.create()]);
});

/** Sends a request to fill a cart from the platform to the shop, unless `sent` says otherwise. */
const outcome = (sent: Partial<Sent>) => outcomeOf({ of: shop, profile: platform.uri, ...sent });

describe('an agent with a signature', () => {
  it('is who its profile says', async () => {
    const admitted = await send({ of: shop, profile: platform.uri, headers: await platform.sign(CART) });
    expect(admitted).toMatchObject({
      ok: true,
      value: {
        agent: { profile: platform.uri, identity: signed },
        platform: { version: '2026-04-08' },
      },
    });
  });

  it('is refused where a signature is required and none is sent, before anything is fetched', async () => {
    expect(await outcome({})).toEqual([401, 'signature_missing']);
    expect(platform.fetches).toBe(0);
    expect(await outcome({ identity: 'optional' })).toBeNull();
  });

  it('is refused with an invalid signature, also where none is required', async () => {
    const headers = await platform.sign({ ...CART, url: `${CART.url}/other` });
    for (const identity of ['required', 'optional'] as const) {
      expect(await outcome({ headers, identity })).toEqual([401, 'signature_invalid']);
    }
    expect(await outcome({ headers: await platform.sign(CART), body: '{}' })).toEqual([
      400,
      'digest_mismatch',
    ]);
    const missing = await platform.sign(CART);
    missing.delete('signature');
    expect(await outcome({ headers: missing })).toEqual([401, 'signature_missing']);
  });

  it("is refused under another platform's name", async () => {
    const other = await Platform.create();
    const headers = await platform.sign({ ...CART, headers: { 'ucp-agent': `profile="${other.uri}"` } });
    expect(await outcome({ headers, profile: other.uri })).toEqual([401, 'signature_invalid']);
    other.published = [];
    const third = await Platform.create();
    third.published = [];
    const unsigned = await platform.sign({ ...CART, headers: { 'ucp-agent': `profile="${third.uri}"` } });
    expect(await outcome({ headers: unsigned, profile: third.uri })).toEqual([401, 'key_not_found']);
  });

  it('may rotate its key: an unknown key refreshes the profile, once a minute', async () => {
    expect(await outcome({ headers: await platform.sign(CART) })).toEqual(signed);
    const next = await makeSigner('platform-2');
    platform.signer = next;
    platform.published = [...platform.published, next];
    expect(await outcome({ headers: await platform.sign(CART) })).toEqual({ ...signed, keyId: 'platform-2' });
    expect(platform.fetches).toBe(2);
    platform.signer = await makeSigner('platform-3');
    for (let n = 0; n < 5; n++) {
      expect(await outcome({ headers: await platform.sign(CART) })).toEqual([401, 'key_not_found']);
    }
    expect(platform.fetches).toBe(2);
  });

  it('is refused once its key was taken out of the profile', async () => {
    const headers = await platform.sign(CART, now() + 4 * MINUTE);
    expect(await outcome({ headers })).toEqual(signed);
    platform.published = [await makeSigner('platform-2')];
    moveClock(5 * MINUTE + 1_000);
    expect(await outcome({ headers })).toEqual([401, 'key_not_found']);
  });

  it('is refused with a swapped key under the same id', async () => {
    platform.signer = await makeSigner('platform-1');
    expect(await outcome({ headers: await platform.sign(CART) })).toEqual([401, 'signature_invalid']);
  });

  it('is refused with a key that is no EC key', async () => {
    platform.respond = () => {
      const keys = [{ kid: 'platform-1', kty: 'RSA', n: 'AQAB', e: 'AQAB' }];
      return Response.json({ ...platform.profile(), signing_keys: keys });
    };
    expect(await outcome({ headers: await platform.sign(CART) })).toEqual([400, 'algorithm_unsupported']);
  });

  it('is refused with a signature of the future', async () => {
    expect(await outcome({ headers: await platform.sign(CART, now() + 10 * MINUTE) })).toEqual([
      401,
      'signature_invalid',
    ]);
    expect(await outcome({ headers: await platform.sign(CART, now() - 10 * MINUTE) })).toEqual(signed);
  });

  it('is refused when its profile cannot be had', async () => {
    platform.respond = () => new Response(null, { status: 404 });
    expect(await outcome({ headers: await platform.sign(CART) })).toEqual([424, 'profile_unreachable']);
    platform = await Platform.create();
    platform.respond = () => new Response('{}');
    expect(await outcome({ headers: await platform.sign(CART) })).toEqual([422, 'profile_malformed']);
    platform = await Platform.create();
    const config = `"config":{"deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const deep = JSON.stringify(platform.profile()).replace(/(?<=\[\{)"version"/, `${config},"version"`);
    platform.respond = () => new Response(deep);
    expect(await outcome({ headers: await platform.sign(CART) })).toEqual([422, 'profile_malformed']);
    const profile = 'https://10.0.0.1/profile.json';
    expect(await outcome({ headers: await platform.sign(CART), profile })).toEqual([
      400,
      'invalid_profile_url',
    ]);
  });
});

describe('the limits of agents', () => {
  it('are exact by platform, and apart for those that prove nothing', async () => {
    // The plan's 600 a minute: of these 300 without proof, 150 of one platform.
    const small = await world({ plan: 'starter', settings: {} });
    const unsigned = { identity: 'optional', of: small } as const;
    // Another host of its domain is the same platform.
    const { uri: profile } = await Platform.create();
    const first = await Promise.all(
      Array.from({ length: 155 }, (_, n) => outcome({ ...unsigned, ...(n % 2 && { profile }) })),
    );
    expect(first.filter((one) => one === null)).toHaveLength(150);
    expect(first.filter((one) => Array.isArray(one) && one[0] === 429)).toHaveLength(5);
    const limited = await send({ ...unsigned, profile: platform.uri });
    expect(limited).toMatchObject({ error: { retryAfter: expect.any(Number) } });
    // A wrong signature proves nothing either.
    const wrong = await platform.sign(CART, now() + 10 * MINUTE);
    expect(await outcome({ headers: wrong, of: small })).toEqual([429, 'rate_limited']);
    // The platform itself, which signs, is not affected; nor is another one.
    expect(await outcome({ headers: await platform.sign(CART), of: small })).toEqual(signed);
    const other = await Platform.create('agents.example.org');
    expect(await outcome({ ...unsigned, profile: other.uri })).toBeNull();
    // Nor are the tenant's storefronts.
    expect((await small.get('/products')).status).toBe(200);
    moveClock(MINUTE + 2_000);
    expect(await outcome(unsigned)).toBeNull();
  });

  it('are twice as high for a platform that proves who it is', async () => {
    const small = await world({ plan: 'starter', settings: {} });
    const headers = await platform.sign(CART);
    const all = await Promise.all(Array.from({ length: 305 }, () => outcome({ headers, of: small })));
    expect(all.filter((one) => !Array.isArray(one))).toEqual(Array(300).fill(signed));
    expect(all.filter(Array.isArray)).toEqual(Array(5).fill([429, 'rate_limited']));
  });
});

describe('a network whose requests prove nothing', () => {
  const from = (network: string, headers = new Headers()) => {
    headers.set('cf-connecting-ip', network);
    return headers;
  };
  const inventedProfile = () => `https://${crypto.randomUUID()}.example.com/profile.json`;
  /** Sends requests of invented platforms; returns how many were refused before anything was asked. */
  async function refusedOf(count: number, network: string, identity: AgentRequest['identity']) {
    let refused = 0;
    for (let n = 0; n < count; n++) {
      const headers = from(network, identity === 'required' ? await platform.sign(CART) : new Headers());
      const answered = await outcome({ headers, identity, profile: inventedProfile() });
      refused += Array.isArray(answered) && answered[0] === 429 ? 1 : 0;
    }
    return refused;
  }

  it.each(['required', 'optional'] as const)('waits after sixty unknown platforms (%s)', async (identity) => {
    const network = identity === 'required' ? '192.0.2.1' : '192.0.2.2';
    const known = await platform.sign(CART);
    stopClock();
    expect(await outcome({ headers: from('192.0.2.9', known) })).toEqual(signed);
    expect(await refusedOf(75, network, identity)).toBe(15);
    // Neither a platform that the isolate knows is held up, nor another network, nor another tenant.
    expect(await outcome({ headers: from(network, known) })).toEqual(signed);
    expect(await refusedOf(1, '192.0.2.9', identity)).toBe(0);
    const other = await world({ settings: SETTINGS });
    expect(await outcome({ headers: from(network, await platform.sign(CART)), of: other })).toEqual(signed);
    moveClock(2_000);
    expect(await refusedOf(3, network, identity)).toBe(1);
  });

  it('asks the directory for an unknown key once in ten seconds', async () => {
    const calls: string[] = [];
    const bindings = interceptBindings(['PLATFORM_DIRECTORY'], (name, call) => {
      calls.push(name);
      return call();
    });
    stopClock();
    const asked = async () => {
      calls.length = 0;
      const headers = await platform.sign(CART);
      expect(await outcome({ headers, bindings })).toEqual([401, 'key_not_found']);
      return calls.filter((name) => name.endsWith('.profile')).length;
    };
    expect(await outcome({ headers: await platform.sign(CART), bindings })).toEqual(signed);
    platform.signer = await makeSigner('platform-2');
    expect([await asked(), await asked(), await asked()]).toEqual([1, 0, 0]);
    moveClock(11_000);
    expect(await asked()).toBeGreaterThan(0);
  });
});
