import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPublicUrl, urlRules } from '../../../src/kernel/text/public-url.ts';

const strict = { allowLocal: false, ownHosts: ['api.example.com'] };
const local = { allowLocal: true, ownHosts: ['localhost:8787'] };

const HOSTILE = [
  // Other schemes, or none.
  'http://shop.example.com/hook',
  'ftp://shop.example.com/hook',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,hello',
  'gopher://shop.example.com/',
  'wss://shop.example.com/',
  '//shop.example.com/hook',
  '/hook',
  'shop.example.com/hook',
  'https:shop.example.com/hook',
  'https:/shop.example.com/hook',
  'https:///shop.example.com/hook',
  'https://',
  '',
  // IPv4 in every notation.
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0177.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.0.0.8/hook',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://192.168.1.1/',
  'https://8.8.8.8/',
  'https://127.0.0.1./',
  'https://%31%32%37.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://256.1.1.1/',
  'https://1.2.3.4.5/',
  // IPv6, mapped, compatible, NAT64, zones.
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:4860:4860::8888]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fc00::1]/',
  'https://[::1/',
  // User info.
  'https://user@shop.example.com/',
  'https://user:password@shop.example.com/',
  'https://:password@shop.example.com/',
  'https://@shop.example.com/',
  'https://shop.example.com@127.0.0.1/',
  'https://shop.example.com%40localhost@localhost/',
  // Ports.
  'https://shop.example.com:80/',
  'https://shop.example.com:22/',
  'https://shop.example.com:8443/',
  'https://shop.example.com:0/',
  'https://shop.example.com:65536/',
  // Names that are not public, and single labels.
  'https://localhost/',
  'https://LOCALHOST/',
  'https://ｌｏｃａｌｈｏｓｔ/',
  'https://local\u00adhost/',
  'https://%6c%6f%63alhost/',
  'https://localhost./',
  'https://shop.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://db.internal/',
  'https://db.INTERNAL./',
  'https://router.home.arpa/',
  'https://1.0.0.127.in-addr.arpa/',
  'https://abcdefghijklmnop.onion/',
  'https://intranet/',
  'https://kubernetes/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://server.lan/',
  'https://com/',
  'https://xn--bcher-kva/',
  // Trailing and doubled dots.
  'https://shop.example.com./',
  'https://shop.example.com。/',
  'https://shop..example.com/',
  'https://.example.com/',
  'https://../',
  // Broken punycode and host names that are none.
  'https://xn--.com/',
  'https://xn--a.com/',
  'https://xn--0.com/',
  'https://xn--localhost-.com/',
  'https://-shop.example.com/',
  'https://shop-.example.com/',
  'https://sh%20op.example.com/',
  'https://shop$.example.com/',
  'https://*.example.com/',
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'abcdefghi.'.repeat(25)}example.com/`,
  // Characters that parsers disagree about.
  'https://shop.example.com\\@localhost/',
  'https:\\\\shop.example.com\\',
  'https://shop.example.com\t.localhost/',
  'https://shop.exam\nple.com/',
  ' https://shop.example.com/',
  'https://shop.example.com/a b',
  'https://shop.example.com/\u0000',
  'https://shop.example.com/\u2028',
  'https://shop.example.com%00.localhost/',
  // This service itself.
  'https://api.example.com/v1/cart',
  'https://API.example.com:443/',
  'https://api.exampl%65.com/',
  // Length.
  `https://shop.example.com/${'a'.repeat(2_048)}`,
];

const LEGITIMATE = [
  'https://shop.example.com',
  'https://shop.example.com/',
  'https://example.com/hooks/storefront',
  'https://shop.example.com:443/hook',
  'HTTPS://Shop.Example.COM/Hook',
  'https://shop.example.com/hook?token=a%20b&x=1#fragment',
  'https://shop.example.com/@someone/inbox',
  'https://shop.example.com/a:b/c;d=1/',
  'https://shop.example.com/?next=https://user@localhost:80/',
  'https://shop.example.com/ünïcode/Ω?q=ş',
  'https://münchen.example/haken',
  'https://xn--mnchen-3ya.example/haken',
  'https://straße.example/',
  'https://xn--80ak6aa92e.com/',
  'https://日本語.example.jp/注文',
  'https://пример.рф/',
  'https://çiçekçi.com.tr/webhook',
  'https://hooks.a-b.co.uk/x',
  'https://a.b.c.d.e.f.example.com/',
  'https://1password.example/',
  'https://127.0.0.1.example.com/',
  'https://10-0-0-1.example.com/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://my_bucket.example.com/',
  'https://local.dev/',
  'https://api.example.com.evil.example/',
  'https://eu.api.example.com/',
  `https://shop.example.com/${'a'.repeat(2_000)}`,
];

describe('public URLs', () => {
  it('are tested with a long table of hostile URLs', () => {
    expect(new Set(HOSTILE).size).toBe(HOSTILE.length);
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
  });

  it.each(HOSTILE)('rejects %j', (url) => {
    expect(checkPublicUrl(url, strict)).toEqual({ ok: false, problem: expect.any(String) });
  });

  it.each(LEGITIMATE)('accepts %j', (url) => {
    expect(checkPublicUrl(url, strict)).toMatchObject({ ok: true });
  });

  it('never have an IP address as host, in any notation', () => {
    const part = fc.nat(255);
    const written = fc
      .tuple(part, part, part, part, fc.constantFrom(10, 8, 16), fc.nat(3))
      .map(([a, b, c, d, base, joined]) => {
        const prefix = { 10: '', 8: '0', 16: '0x' }[base];
        const text = (n: number) => `${prefix}${n.toString(base)}`;
        const parts = [a, b, c, d];
        const last = parts.slice(3 - joined).reduce((sum, n) => sum * 256 + n, 0);
        return [...parts.slice(0, 3 - joined), last].map(text).join('.');
      });
    const v6 = fc.ipV6().map((address) => `[${address}]`);
    fc.assert(fc.property(fc.oneof(written, v6), (host) => !checkPublicUrl(`https://${host}/`, strict).ok));
  });

  it('are https on port 443 with a dotted name, for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          const check = checkPublicUrl(text, strict);
          if (!check.ok) return;
          expect(check.url.origin).toMatch(/^https:\/\/[^:@[\]]+\.[a-z0-9-]*[a-z][a-z0-9-]*$/);
          expect(check.url.username + check.url.password).toBe('');
        },
      ),
    );
  });

  it('may be http and loopback in development, but not otherwise private or the service itself', () => {
    for (const url of [
      'http://localhost:4000/hook',
      'http://127.0.0.1:9/',
      'http://[::1]:4000/',
      'https://shop.localhost/',
    ]) {
      expect(checkPublicUrl(url, local), url).toMatchObject({ ok: true });
    }
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://localhost:8787/v1',
      'ftp://localhost/',
      'http://agent.example.com/',
    ]) {
      expect(checkPublicUrl(url, local), url).toMatchObject({ ok: false });
    }
  });

  it('follow the rules of the environment', () => {
    expect(urlRules({ API_HOSTS: 'api.shop.example, Other.example' }, 'https://api.example.com/v1')).toEqual({
      allowLocal: false,
      ownHosts: ['api.shop.example', 'other.example', 'api.example.com'],
    });
    expect(urlRules({ DEV_ALLOW_LOCAL_URLS: 'true' })).toEqual({ allowLocal: true, ownHosts: [] });
    expect(urlRules({ DEV_ALLOW_LOCAL_URLS: 'false' }).allowLocal).toBe(false);
  });
});
