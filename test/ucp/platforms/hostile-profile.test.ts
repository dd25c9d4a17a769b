import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchProfile } from '../../../src/ucp/platforms/fetch-profile.ts';
import { Platform } from '../../support/fixtures/agents/platform.ts';
import { listen } from '../../support/runtime/internet.ts';

/** Directories that no other file of tests uses. */
let tenantId = 9_500_000;

beforeEach(() => {
  tenantId += 1;
});

const directory = () => env.PLATFORM_DIRECTORY.getByName(String(tenantId));

const ask = (uri: string) => directory().profile({ uri });

const codeOf = async (uri: string) => {
  const answer = await ask(uri);
  return answer.ok ? 'ok' : answer.code;
};

describe('a hostile profile', () => {
  it.each([
    ['http://agents.example.com/p'],
    ['https://127.0.0.1/p'],
    ['https://[::1]/p'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://localhost/p'],
    ['https://metadata.internal/p'],
    ['https://user:secret@agents.example.com/p'],
    ['https://agents.example.com:8443/p'],
  ])('at %s is not fetched', async (uri) => {
    expect(await codeOf(uri)).toBe('invalid_profile_url');
  });

  it('of a host whose name servers fail is not fetched, because its addresses are unknown', async () => {
    const platform = await Platform.create();
    listen('resolver.example.net', () => Response.json({ Status: 2 }));
    const asking = { ...env, DOH_URL: 'https://resolver.example.net/dns-query' };
    expect(await fetchProfile(asking, platform.uri)).toEqual({ ok: false, code: 'profile_unreachable' });
    listen('resolver.example.net', () => Response.json({ Status: 3 }));
    expect(await fetchProfile(asking, platform.uri)).toEqual({ ok: false, code: 'invalid_profile_url' });
    expect(platform.fetches).toBe(0);
  });

  it('that redirects is not followed', async () => {
    const [platform, target] = [await Platform.create(), await Platform.create()];
    platform.respond = ({ redirect }) => {
      expect(redirect).toBe('manual');
      return Response.redirect(target.uri, 302);
    };
    expect(await codeOf(platform.uri)).toBe('profile_unreachable');
    expect(target.fetches).toBe(0);
  });

  it('of 10 MB is read no further than the bound', async () => {
    const platform = await Platform.create();
    let [sent, cancelled] = [0, false];
    platform.respond = () => {
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536).fill(32));
          if (sent >= 10_000_000) controller.close();
        },
        cancel: () => {
          cancelled = true;
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    };
    expect(await codeOf(platform.uri)).toBe('profile_malformed');
    expect(sent).toBeLessThan(1_000_000);
    expect(cancelled).toBe(true);
  });

  it('that never ends is given up', async () => {
    const platform = await Platform.create();
    platform.respond = () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }));
    expect(await codeOf(platform.uri)).toBe('profile_unreachable');
  });

  it.each([
    ['no JSON', 'profile'],
    ['no ucp', '{}'],
    ['no version', '{"ucp":{}}'],
    ['a version that is no date', '{"ucp":{"version":"draft"}}'],
    ['capabilities that are a list', '{"ucp":{"version":"2026-04-08","capabilities":[]}}'],
    ['a key without id', '{"ucp":{"version":"2026-04-08"},"signing_keys":[{"kty":"EC"}]}'],
    [
      'a thousand keys',
      JSON.stringify({
        ucp: { version: '2026-04-08' },
        signing_keys: Array.from({ length: 1_000 }, (_, n) => ({ kid: `k${n}`, kty: 'EC' })),
      }),
    ],
  ])('with %s is malformed', async (_, body) => {
    const platform = await Platform.create();
    platform.respond = () => new Response(body);
    expect(await codeOf(platform.uri)).toBe('profile_malformed');
  });

  it('is kept without what this side does not read of its configurations', async () => {
    const platform = await Platform.create();
    const configured = (webhook_url: unknown) => [
      { version: '2026-04-08', config: { webhook_url, more: Array.from({ length: 20_000 }, () => ({})) } },
    ];
    const capabilities = {
      'com.example.a': configured('https://example.com/'),
      'com.example.b': configured([]),
    };
    platform.respond = () => Response.json({ ucp: { version: '2026-04-08', capabilities } });
    const answer = await ask(platform.uri);
    const kept = answer.ok ? answer.profile.capabilities : {};
    expect(JSON.parse(JSON.stringify(kept))).toEqual({
      'com.example.a': [{ version: '2026-04-08', config: { webhook_url: 'https://example.com/' } }],
      'com.example.b': [{ version: '2026-04-08', config: {} }],
    });
  });

  it('backs off: it is fetched again after 1, 2, 4 minutes, at last every hour', async () => {
    const platform = await Platform.create();
    platform.respond = () => new Response(null, { status: 500 });
    for (const wait of [1, 2, 4]) {
      const before = platform.fetches;
      expect(await codeOf(platform.uri)).toBe('profile_unreachable');
      expect(platform.fetches).toBe(before + 1);
      moveClock(wait * MINUTE - 2_000);
      expect(await ask(platform.uri)).toMatchObject({ ok: false, code: 'profile_unreachable' });
      expect(platform.fetches).toBe(before + 1);
      moveClock(3_000);
    }
    for (let n = 0; n < 6; n++) {
      await ask(platform.uri);
      moveClock(HOUR + 1_000);
    }
    expect(platform.fetches).toBe(9);
  });
});
