/** The assistant's platform takes the events that its shop has signed, and no others. */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Platform } from './platform.ts';

const verified: string[] = [];
const refused: string[] = [];
let platform: Platform;
/** Signs as a shop would: it has a profile with a key too. */
let shop: Platform;
let stranger: Platform;

before(async () => {
  const silent = { verified: () => undefined, refused: () => undefined };
  platform = await Platform.start({
    verified: ({ order }) => verified.push(order.label),
    refused: (reason) => refused.push(reason),
  });
  [shop, stranger] = [await Platform.start(silent), await Platform.start(silent)];
  platform.shopProfile = shop.profileUrl;
});
after(() => {
  for (const one of [platform, shop, stranger]) one.stop();
});

/** Changes of an event after it was signed. */
interface Change {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an event that `signer` has signed; returns the status. */
async function send(label: string, signer: Platform, change: Change = {}): Promise<number> {
  const body = JSON.stringify({ id: label, label, line_items: [] });
  const url = new URL(platform.eventsUrl);
  const headers = { 'webhook-id': label, ...signer.headers('POST', url, body), ...change.headers };
  return (await fetch(url, { method: 'POST', headers, body: change.body ?? body })).status;
}

test('takes an event of its shop once', async () => {
  equal(await send('#1', shop), 204);
  equal(await send('#1', shop), 204);
  equal(await send('#2', shop), 204);
  deepEqual([verified, refused], [['#1', '#2'], []]);
});

test('refuses what its shop has not signed', async () => {
  const { signature = '' } = stranger.headers('POST', new URL(platform.eventsUrl), '{}');
  const profile = { 'ucp-agent': `profile="${shop.profileUrl}"` };
  const old = { 'signature-input': 'sig1=("@method");created=1;keyid="assistant-1"' };
  for (const [signer, change, reason] of [
    [stranger, {}, `It comes from another shop: ${stranger.profileUrl}`],
    [stranger, { headers: profile }, 'The signature does not match'],
    [shop, { headers: { signature } }, 'The signature does not match'],
    [shop, { headers: { signature: '' } }, 'It has no signature'],
    [shop, { body: '{}' }, 'Content-Digest is not that of the body'],
    [shop, { headers: { 'content-type': 'text/plain' } }, 'The signature does not match'],
    [
      shop,
      { headers: old },
      'The signature does not cover @authority, @path, ucp-agent, content-digest, content-type',
    ],
  ] as const) {
    equal(await send('#3', signer, change), 401);
    equal(refused.at(-1), reason);
  }
  deepEqual(verified, ['#1', '#2']);
});
