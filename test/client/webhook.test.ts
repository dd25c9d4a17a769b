import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts';

const secret = `whsec_${btoa('a secret of twenty-four b')}`;
const other = `whsec_${btoa('b secret of twenty-four b')}`;
const body = JSON.stringify({
  id: 'evt_1',
  type: 'ping',
  timestamp: '2026-11-22T00:00:00Z',
  data: { text: 'é' },
});

function headersAt(at: Date, ...secrets: string[]): Record<string, string> {
  const signatures = secrets.map((one) => new Webhook(one).sign('evt_1', at, body));
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

const refused = async (call: Promise<unknown>) =>
  expect(await call.catch((error: unknown) => error)).toBeInstanceOf(WebhookVerificationError);

it('verifies a delivery, from Headers or from an object', async () => {
  const headers = headersAt(new Date(), secret);
  for (const sent of [headers, new Headers(headers), { ...headers, get: undefined }]) {
    expect((await verifyWebhook(body, sent, { secret })).type).toBe('ping');
  }
});

it('takes either signature while a secret is rotated', async () => {
  const headers = headersAt(new Date(), other, secret);
  expect((await verifyWebhook(body, headers, { secret })).id).toBe('evt_1');
  expect((await verifyWebhook(body, headers, { secret: other })).id).toBe('evt_1');
});

it('refuses what is changed, stale, unsigned or signed by somebody else', async () => {
  const fresh = headersAt(new Date(), secret);
  await refused(verifyWebhook(body.replace('é', 'e'), fresh, { secret }));
  await refused(verifyWebhook(body, fresh, { secret: other }));
  await refused(verifyWebhook(body, { ...fresh, 'webhook-id': 'evt_2' }, { secret }));
  await refused(verifyWebhook(body, { ...fresh, 'webhook-signature': 'v1,?? v1a,x' }, { secret }));
  await refused(verifyWebhook(body, { ...fresh, 'webhook-timestamp': 'soon' }, { secret }));
  await refused(verifyWebhook(body, {}, { secret }));
  for (const seconds of [-400, 400]) {
    const far = headersAt(new Date(Date.now() + seconds * 1000), secret);
    await refused(verifyWebhook(body, far, { secret }));
    expect((await verifyWebhook(body, far, { secret, toleranceSeconds: 500 })).id).toBe('evt_1');
  }
  await expect(verifyWebhook(body, fresh, { secret: 'whsec_?' })).rejects.toThrow('not base64');
});
