import { describe, expect, it } from 'vitest';
import { forgetTenants, sendUcp } from '../../../support/fixtures/agents/agent-shop.ts';
import { asDeveloper, fill } from '../../../support/fixtures/browser.ts';
import { world } from '../../../support/world.ts';

describe('the settings for agents', () => {
  const AGENTS = '/developer/settings/agents';

  it('are saved, and the page shows what is missing and the profile', async () => {
    const shop = await world();
    const developer = await asDeveloper(shop.slug);
    await developer.get(AGENTS);
    expect(developer.last.html).toContain('missing');
    expect(developer.last.html).toContain(`/ucp/${shop.slug}/.well-known/ucp`);
    const host = `shop-${shop.slug}.example.com`;
    await fill(developer, AGENTS, AGENTS, {
      ...{ 'ucp.enabled': 'yes', 'ucp.storefront_url': 'https://shop.example.com/', 'ucp.hosts': host },
      'ucp.policies.refunds': 'https://shop.example.com/refunds',
    });
    expect(developer.last.html).toContain('Saved.');
    expect((await shop.get('/settings')).body.ucp).toEqual({
      ...{ enabled: true, hosts: [host], storefront_url: 'https://shop.example.com/', product_url: null },
      policies: { privacy: null, terms: null, refunds: 'https://shop.example.com/refunds' },
    });
    expect(developer.last.html).toContain('dev.ucp.shopping.catalog.search');
  });

  it('name the field that is wrong', async () => {
    const shop = await world();
    const developer = await asDeveloper(shop.slug);
    await fill(developer, AGENTS, AGENTS, { 'ucp.enabled': 'yes', 'ucp.storefront_url': 'http://shop' });
    expect(developer.last.html).toContain('must be an https URL');
  });

  it('rotate the signing key after a question, recorded in the audit log', async () => {
    const shop = await world({ settings: { ucp: { enabled: true } } });
    const developer = await asDeveloper(shop.slug);
    await developer.get(AGENTS);
    expect(developer.last.html).toContain('No agent has read the profile yet.');
    const published = async () => {
      // An isolate uses keys that it has read for a second.
      forgetTenants();
      const { body } = await sendUcp('GET', `/ucp/${shop.slug}/.well-known/ucp`);
      return body.signing_keys.map(({ kid }: { kid: string }) => kid);
    };
    const [first] = await published();
    const rotate = `${AGENTS}/rotate-key`;
    expect((await developer.get(AGENTS)).html).toContain(`href="${rotate}"`);
    await fill(developer, rotate, rotate, {});
    const [kept, second] = await published();
    expect([kept, second]).toEqual([first, expect.any(String)]);
    await developer.get(AGENTS);
    expect(developer.last.html).toMatch(new RegExp(`${first}.*signs.*${second}.*announced`, 's'));

    await fill(developer, rotate, rotate, { compromised: 'yes' });
    const [only, ...others] = await published();
    expect(others).toEqual([]);
    expect([first, second]).not.toContain(only);
    const entries = (await shop.get('/audit?action=rotateSigningKey')).body.data;
    expect(entries.map(({ changes }: { changes: object[] }) => changes)).toEqual([
      [{ field: 'compromised', new: 'true' }],
      [],
    ]);
  });
});
