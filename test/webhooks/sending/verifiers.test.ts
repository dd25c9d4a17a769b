import { validateWebhook } from 'replicate';
import { expect, it } from 'vitest';
import { Receiver, subscribe, until, verify } from '../../support/fixtures/webhooks.ts';
import type { Received } from '../../support/runtime/internet.ts';
import { world } from '../../support/world.ts';

/**
 * Receivers' own libraries for Standard Webhooks, which share no code with ours or each other: the specification's
 * reference, and that of a service whose webhooks follow it.
 */
const VERIFIERS: Readonly<Record<string, (secret: string, received: Received) => unknown>> = {
  standardwebhooks: verify,
  replicate: async (secret, { body, headers }) => {
    const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map(
      (name) => headers.get(`webhook-${name}`) ?? '',
    );
    if (!(await validateWebhook({ id, timestamp, signature, body, secret }))) throw new Error('refused');
  },
};

const isAccepted = async (name: string, secret: string, received: Received): Promise<boolean> => {
  try {
    await VERIFIERS[name]?.(secret, received);
    return true;
  } catch {
    return false;
  }
};

/** Returns a delivery as it arrived, and the secret of its webhook. */
async function delivered() {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id, secret } = await subscribe(shop, receiver.url);
  await shop.post(`/webhooks/${id}/ping`);
  await until(() => expect(receiver.received).toHaveLength(1));
  const [received] = receiver.received;
  if (!received) throw new Error('Nothing arrived');
  return { shop, id, secret, receiver, received };
}

/** Returns a delivery with another value of one header. */
function withHeader(received: Received, name: string, value: string): Received {
  const headers = new Headers(received.headers);
  headers.set(name, value);
  return { ...received, headers };
}

const later = (seconds: string | null) => String(Number(seconds) + 1);

it.each(Object.keys(VERIFIERS))(
  '%s accepts a delivery as it is, and refuses every tampered one',
  async (name) => {
    const { secret, received } = await delivered();
    const { body, headers } = received;
    expect(await isAccepted(name, secret, received)).toBe(true);
    const signature = headers.get('webhook-signature') ?? '';
    const middle = Math.floor(signature.length / 2);
    const flipped = signature[middle] === 'A' ? 'B' : 'A';
    const tampered: Record<string, Received> = {
      body: { ...received, body: body.replace('{', '{ ') },
      id: withHeader(received, 'webhook-id', `${headers.get('webhook-id')}x`),
      timestamp: withHeader(received, 'webhook-timestamp', later(headers.get('webhook-timestamp'))),
      signature: withHeader(
        received,
        'webhook-signature',
        signature.slice(0, middle) + flipped + signature.slice(middle + 1),
      ),
    };
    for (const [part, changed] of Object.entries(tampered))
      expect(await isAccepted(name, secret, changed), part).toBe(false);
    const other = `whsec_${btoa('another secret of 32 bytes......')}`;
    expect(await isAccepted(name, other, received)).toBe(false);
  },
);

it.each(Object.keys(VERIFIERS))(
  '%s accepts a delivery under the old and the new secret of a rotation',
  async (name) => {
    const { shop, id, secret, receiver } = await delivered();
    const { body } = await shop.post(`/webhooks/${id}/rotate-secret`);
    await shop.post(`/webhooks/${id}/ping`);
    await until(() => expect(receiver.received).toHaveLength(2));
    const received = receiver.received[1];
    if (!received) throw new Error('Nothing arrived');
    expect(await isAccepted(name, secret, received)).toBe(true);
    expect(await isAccepted(name, body.secret, received)).toBe(true);
  },
);
