import { expect, it } from 'vitest';
import { DAY, MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { lineOf, published } from '../../support/fixtures/agents/agent.ts';
import { sendUcp, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { Platform } from '../../support/fixtures/agents/platform.ts';
import { signRequest } from '../../support/fixtures/agents/signer.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';

it('never run again a request whose key has expired, whatever the clock of its signer', async () => {
  const shop = await ucpShop();
  const platform = await Platform.create();
  const cup = `p${(await stockedProduct(shop)).body.id}`;
  published();
  const path = `/ucp/${shop.slug}/carts`;
  const body = JSON.stringify(lineOf(cup));
  const request = {
    method: 'POST',
    url: `https://api.example.com${path}`,
    headers: {
      'ucp-agent': `profile="${platform.uri}"`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body,
  };
  const headers = await signRequest(platform.signer, request, now() + 4 * MINUTE);
  const send = () => sendUcp('POST', path, { headers, body });
  const first = await send();
  expect(first.status).toBe(201);
  expect((await send()).body.id).toBe(first.body.id);
  moveClock(DAY + MINUTE);
  const replayed = await send();
  expect([replayed.status, replayed.body.code]).toEqual([401, 'signature_invalid']);
});
