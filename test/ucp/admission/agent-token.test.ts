import { beforeEach, describe, expect, it } from 'vitest';
import { Platform } from '../../support/fixtures/agents/platform.ts';
import { type World, world } from '../../support/world.ts';
import { CART, outcomeOf, SETTINGS, type Sent } from './admission.ts';

let shop: World;
let platform: Platform;
beforeEach(async () => {
  [shop, platform] = await Promise.all([world({ settings: SETTINGS }), Platform.create()]);
});

/** Sends a request to fill a cart from the platform to the shop, unless `sent` says otherwise. */
const outcome = (sent: Partial<Sent>) => outcomeOf({ of: shop, profile: platform.uri, ...sent });

describe('an agent with a token', () => {
  const register = () => shop.register({ kind: 'agent', agent_profile: platform.uri });
  const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` });

  it('is admitted under the profile that its application is bound to', async () => {
    const { token, id } = await register();
    const identity = { kind: 'application', applicationId: id };
    expect(await outcome({ headers: bearer(token) })).toEqual(identity);
    expect(await outcome({ headers: new Headers({ 'x-api-key': token }) })).toEqual(identity);
  });

  it('is refused under another profile, at another tenant, of another kind, or unknown', async () => {
    const { token } = await register();
    const other = await Platform.create();
    expect(await outcome({ headers: bearer(token), profile: other.uri })).toEqual([
      403,
      'profile_not_trusted',
    ]);
    expect(other.fetches).toBe(0);
    const stranger = await world({ settings: SETTINGS });
    expect(await outcome({ headers: bearer(token), of: stranger })).toEqual([401, 'unauthorized']);
    expect(await outcome({ headers: bearer(shop.token) })).toEqual([403, 'profile_not_trusted']);
    expect(await outcome({ headers: bearer('sfe_live_1') })).toEqual([401, 'unauthorized']);
  });

  it('is refused from an origin that its application does not list', async () => {
    const kind = { kind: 'agent', agent_profile: platform.uri } as const;
    const { token, id } = await shop.register({ ...kind, allowed_origins: ['https://agent.example.com'] });
    const from = (origin: string) => new Headers({ authorization: `Bearer ${token}`, origin });
    expect(await outcome({ headers: from('https://evil.example.com') })).toEqual([403, 'origin_not_allowed']);
    const identity = { kind: 'application', applicationId: id };
    expect(await outcome({ headers: from('https://agent.example.com') })).toEqual(identity);
    expect(await outcome({ headers: bearer(token) })).toEqual(identity);
  });

  it('has its signature verified too, if there is one', async () => {
    const { token } = await register();
    const headers = await platform.sign({ ...CART, method: 'PUT' });
    headers.set('authorization', `Bearer ${token}`);
    expect(await outcome({ headers })).toEqual([401, 'signature_invalid']);
  });

  it('may do nothing else', async () => {
    const { token, scopes, agent_profile } = await register();
    expect({ scopes, agent_profile }).toEqual({ scopes: [], agent_profile: platform.uri });
    const response = await shop.get('/products', { token });
    expect([response.status, response.body.code]).toEqual([403, 'insufficient_scope']);
  });

  it('is limited like any application', async () => {
    const { token } = await shop.register({
      kind: 'agent',
      agent_profile: platform.uri,
      rate_limit_per_minute: 2,
    });
    const all = [];
    for (let n = 0; n < 3; n++) all.push(await outcome({ headers: bearer(token) }));
    expect(all[2]).toEqual([429, 'rate_limited']);
  });
});

describe('registering an agent', () => {
  it('needs a profile, which other kinds do not have', async () => {
    const post = (body: object) =>
      shop.register(body as Parameters<World['register']>[0]).then(
        () => 'made',
        (error: Error) => error.message,
      );
    expect(await post({ kind: 'agent' })).toMatch('is required for an agent');
    expect(await post({ kind: 'storefront', agent_profile: platform.uri })).toMatch('is only for an agent');
    expect(await post({ kind: 'agent', agent_profile: 'http://agents.example.com/p' })).toMatch('https');
  });
});
