import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReturnUrl } from '../../../src/checkout/start.ts';
import { localOrHttpsUrl } from '../../../src/kernel/text/local-url.ts';
import { checkPublicUrl } from '../../../src/kernel/text/public-url.ts';
import { asUri, httpsUrl } from '../../../src/kernel/text/uri.ts';
import { type World, world } from '../../support/world.ts';

const documented = new Validator({ type: 'string', format: 'uri', maxLength: 2_048 }, '2020-12');
const isUri = (text: string): boolean => documented.validate(text).valid;

/** Characters that URL parsers and RFC 3986 see differently, among some that they don't. */
const awkward = fc
  .array(fc.constantFrom(...'"<>[]{}|^`\\ %#?&=+/@:;,\'()*!~ab1üΩ\u{1f6d2}', '%20', '%zz'), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''));

/** What a server makes of a path: its bytes, a "%" that encodes nothing as it is. */
const bytesOf = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** As it came, and as it is kept. */
const KEPT = [
  ['https://a.example.com/hook', 'https://a.example.com/hook'],
  ['https://a.example.com', 'https://a.example.com/'],
  ['HTTPS://A.Example.COM:443/Hook', 'https://a.example.com/Hook'],
  [
    'https://a.example.com/a%20b/%C3%BC?q=a%2Bb+c&x=%3F#top',
    'https://a.example.com/a%20b/%C3%BC?q=a%2Bb+c&x=%3F#top',
  ],
  ["https://a.example.com/a:b/c;d=1/@me/!$&'()*+,~", "https://a.example.com/a:b/c;d=1/@me/!$&'()*+,~"],
  ['https://münchen.example/ünï?q=ş#Ω', 'https://xn--mnchen-3ya.example/%C3%BCn%C3%AF?q=%C5%9F#%CE%A9'],
  [
    'https://a.example.com/"<x>"?y="<z>"#"<w>"',
    'https://a.example.com/%22%3Cx%3E%22?y=%22%3Cz%3E%22#%22%3Cw%3E%22',
  ],
  [
    'https://a.example.com/[1]{2}|^`?f[a]={b}|^`',
    'https://a.example.com/%5B1%5D%7B2%7D%7C%5E%60?f%5Ba%5D=%7Bb%7D%7C%5E%60',
  ],
  ['https://a.example.com/100%?p=5%#%', 'https://a.example.com/100%25?p=5%25#%25'],
  ['https://a.example.com/?a?b#c#d', 'https://a.example.com/?a?b#c%23d'],
] as const;

describe('a stored URL', () => {
  it.each(KEPT)('%j is %j', (given, kept) => {
    expect(httpsUrl.parse(given)).toBe(kept);
    expect(asUri(kept)).toBe(kept);
    const check = checkPublicUrl(given, { allowLocal: false, ownHosts: [] });
    expect(check.ok && check.url.href).toBe(kept);
  });

  it('is a valid URI that resolves to the same place', () => {
    const host = fc.constantFrom(
      'a.example.com',
      'a.example.com:8443',
      'u:p%@a.example.com',
      '[2001:db8::1]',
    );
    fc.assert(
      fc.property(host, awkward, (name, rest) => {
        const text = `https://${name}/${rest}`;
        const kept = httpsUrl.parse(text);
        expect(isUri(kept), kept).toBe(true);
        expect(asUri(kept)).toBe(kept);
        const [before, after] = [new URL(text.trim()), new URL(kept)];
        expect(after.host).toBe(before.host);
        // Only the way of writing has changed: what a server decodes is the same.
        expect(bytesOf(after.pathname)).toBe(bytesOf(before.pathname));
        expect([...after.searchParams]).toEqual([...before.searchParams]);
      }),
    );
  });

  it.each([
    'http://a.example.com/',
    'https://a"b.example.com/',
    'https://a{b}.example.com/',
    'https://',
    'hook',
    '',
  ])('is never made from %j', (text) => {
    expect(httpsUrl.safeParse(text).success).toBe(false);
  });

  it('has at most 2,048 characters after normalization', () => {
    const url = (rest: string) => `https://a.example.com/${rest}`;
    expect(httpsUrl.parse(url('a'.repeat(2_026)))).toHaveLength(2_048);
    for (const rest of ['a'.repeat(2_027), 'ü'.repeat(400)]) {
      for (const schema of [httpsUrl, localOrHttpsUrl(() => false)])
        expect(schema.safeParse(url(rest)).error?.issues[0]?.message).toBe(
          'must have at most 2048 characters',
        );
      expect(checkPublicUrl(url(rest), { allowLocal: false, ownHosts: [] }).ok).toBe(false);
    }
  });
});

const GIVEN = 'https://cdn.example.com/"<ü>".png?v[0]=1|2';
const SHOWN = 'https://cdn.example.com/%22%3C%C3%BC%3E%22.png?v%5B0%5D=1%7C2';
const BROKEN = 'https://cdn"x.example.com/';

/** Every field of the API that takes a URL to keep: how it is written, and where it is read. */
const FIELDS: [string, (shop: World, url: string) => Promise<{ status: number; body: unknown }>][] = [
  [
    'images of a product',
    (shop, url) => shop.post('/products', { name: 'Mug', type: 'simple', price: 1, images: [url] }),
  ],
  [
    'the image of a variant',
    (shop, url) =>
      shop.post('/products', {
        name: 'Shirt',
        type: 'configurable',
        price: 1,
        variants: [{ sku: 'S', price: 1, attributes: { size: 'S' }, image: url }],
      }),
  ],
  ['the image of a category', (shop, url) => shop.post('/categories', { name: 'Mugs', image_url: url })],
  ['the logo', (shop, url) => shop.patch('/theme/options', { logo_url: url })],
  ['the icon', (shop, url) => shop.patch('/theme/options', { favicon_url: url })],
  [
    "a tenant's own checkout",
    (shop, url) => shop.patch('/settings', { checkout: { allowed_hosts: [], external_url: url } }),
  ],
  ['a webhook', (shop, url) => shop.post('/webhooks', { url, events: ['stock.changed'], status: 'paused' })],
  [
    'a changed webhook',
    async (shop, url) => {
      const webhook = { url: 'https://a.example.com/', events: ['stock.changed'], status: 'paused' };
      const { body } = await shop.post('/webhooks', webhook);
      return shop.patch(`/webhooks/${body.id}`, { url });
    },
  ],
];

it.each(FIELDS)('%s is shown as a URI, and refused where it can be none', async (_name, write) => {
  const shop = await world();
  // Every answer is held against the OpenAPI document, with its formats.
  const written = await write(shop, GIVEN);
  expect(written.status, JSON.stringify(written.body)).toBeLessThan(300);
  expect(JSON.stringify(written.body)).toContain(SHOWN);
  expect(await write(await world(), BROKEN)).toMatchObject({
    status: 422,
    body: { code: 'validation_error' },
  });
});

it('of a return URL is normalized like any other', () => {
  const rules = { env: {}, requestUrl: 'https://api.example.com/', hosts: ['cdn.example.com'], origins: [] };
  const checked = checkReturnUrl('return_url', GIVEN, rules);
  expect(checked.ok && checked.value.href).toBe(SHOWN);
});
