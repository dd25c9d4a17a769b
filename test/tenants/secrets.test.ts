import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSecrets } from '../../src/tenants/index.ts';
import { overrideName } from '../../src/tenants/secrets.ts';
import { watchLog } from '../support/runtime/log-scan.ts';
import { databaseOf, storeOf } from '../support/runtime/runtime.ts';
import { admin, type World, world } from '../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The secrets as a payment provider or checkout reads them, with more wrangler secrets if need be. */
const secretsOf = (shop: World, more: Record<string, unknown> = {}) =>
  readSecrets({ ...env, ...more } as Env, databaseOf(shop), { id: shop.tenantId, slug: shop.slug });

const stored = async (shop: World) =>
  (await storeOf(shop).prepare('SELECT * FROM tenant_secrets WHERE tenant_id = ?').bind(shop.tenantId).all())
    .results;

const SECRET = 'a-secret-of-thirty-two-characters';

describe('the secrets of a tenant', () => {
  it('start with its own checkout secret', async () => {
    const [a, b] = [await secretsOf(await world()), await secretsOf(await world())];
    if (!a.ok || !b.ok) throw new Error('not readable');
    expect(a.value.checkout_secret).toMatch(/^cs_[0-9A-Za-z]{40}$/);
    expect(b.value.checkout_secret).not.toBe(a.value.checkout_secret);
  });

  it('are written by the platform and by the tenant, encrypted, and never shown', async () => {
    const shop = await world();
    const secrets = { stripe_secret_key: 'sk_test_platform', stripe_webhook_secret: 'whsec_platform' };
    const byPlatform = await admin('PATCH', `/tenants/${shop.slug}`, { secrets });
    const byTenant = await shop.patch('/settings', {
      payments: 'stripe',
      secrets: { checkout_secret: SECRET },
    });
    expect([byPlatform.status, byTenant.status]).toEqual([200, 200]);
    expect(await secretsOf(shop)).toEqual({ ok: true, value: { ...secrets, checkout_secret: SECRET } });
    const answers = [
      byPlatform,
      byTenant,
      await shop.get('/settings'),
      await admin('GET', `/tenants/${shop.slug}`),
    ];
    const shown = JSON.stringify([answers.map(({ body }) => body), await stored(shop)]);
    for (const secret of ['sk_test_platform', 'whsec_platform', SECRET]) expect(shown).not.toContain(secret);
    expect(shown).not.toContain('"secrets"');
    expect((await shop.get('/settings')).body.payments).toBe('stripe');
    const removed = await shop.patch('/settings', { secrets: { stripe_secret_key: null } });
    expect([removed.status, Object.keys(removed.body.errors)]).toEqual([422, ['secrets.stripe_secret_key']]);
  });

  it('are replaced one by one, and removed with null', async () => {
    const shop = await world();
    await shop.patch('/settings', {
      secrets: { stripe_secret_key: 'sk_test_one', stripe_webhook_secret: 'whsec_one' },
    });
    await shop.patch('/settings', { secrets: { stripe_secret_key: 'sk_test_two' } });
    expect(await secretsOf(shop)).toMatchObject({
      value: { stripe_secret_key: 'sk_test_two', stripe_webhook_secret: 'whsec_one' },
    });
    await shop.patch('/settings', { secrets: { stripe_secret_key: null } });
    const left = await secretsOf(shop);
    expect(left.ok && Object.keys(left.value).sort()).toEqual(['checkout_secret', 'stripe_webhook_secret']);
  });

  it.each([
    [{ checkout_secret: 'short' }, 'secrets.checkout_secret'],
    [{ checkout_secret: null }, 'secrets.checkout_secret'],
    [{ paypal_key: 'abcdefgh' }, 'secrets.paypal_key'],
    [{ stripe_secret_key: 'x'.repeat(256) }, 'secrets.stripe_secret_key'],
  ])('are not changed by %j', async (secrets, field) => {
    const shop = await world();
    const before = await stored(shop);
    const answer = await shop.patch('/settings', { secrets });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    expect(await stored(shop)).toEqual(before);
  });

  it('change together with the settings or not at all', async () => {
    const shop = await world();
    const before = await stored(shop);
    const both = { secrets: { checkout_secret: SECRET }, shipping: { flat: 0.001 } };
    expect((await shop.patch('/settings', both)).status).toBe(422);
    expect(await stored(shop)).toEqual(before);
  });

  it('of another tenant cannot be opened, even where a row was copied', async () => {
    const [mine, other] = [await world(), await world()];
    const sealed = await storeOf(other)
      .prepare('SELECT sealed FROM tenant_secrets WHERE tenant_id = ?')
      .bind(other.tenantId)
      .first<string>('sealed');
    await storeOf(mine)
      .prepare('UPDATE tenant_secrets SET sealed = ? WHERE tenant_id = ?')
      .bind(sealed, mine.tenantId)
      .run();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect(await secretsOf(mine)).toMatchObject({ ok: false, failure: { code: 'unavailable' } });
    expect((await secretsOf(other)).ok).toBe(true);
  });
});

describe('a wrangler secret', () => {
  it('is named after the slug', () => {
    expect(overrideName('my-shop2')).toBe('TENANT_MY_SHOP2');
  });

  it('overrides what is stored, name by name', async () => {
    const shop = await world();
    await shop.patch('/settings', {
      secrets: { stripe_secret_key: 'sk_test_stored', checkout_secret: SECRET },
    });
    const override = { [overrideName(shop.slug)]: JSON.stringify({ stripe_secret_key: 'sk_live_wrangler' }) };
    expect(await secretsOf(shop, override)).toEqual({
      ok: true,
      value: { stripe_secret_key: 'sk_live_wrangler', checkout_secret: SECRET },
    });
    expect((await secretsOf(await world(), override)).ok).toBe(true);
  });

  it.each([
    ['{'],
    ['[]'],
    ['null'],
    ['"text"'],
    ['{"stripe_secret_key": 7}'],
    ['{"unknown": "abcdefgh"}'],
    [''],
  ])(
    'that is broken (%s) fails loudly, for its tenant alone, and without its content in the log',
    async (broken) => {
      const [shop, other] = [await world(), await world()];
      const lines = watchLog('error');
      const override = { [overrideName(shop.slug)]: broken };
      expect(await secretsOf(shop, override)).toMatchObject({ ok: false, failure: { code: 'unavailable' } });
      expect((await secretsOf(other, override)).ok).toBe(true);
      expect(lines()).toEqual([{ event: 'tenant_secrets_broken', tenant: shop.tenantId }]);
    },
  );
});
