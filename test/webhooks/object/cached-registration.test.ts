import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { CachedRegistration } from '../../../src/webhooks/object/cached-registration.ts';
import { Receiver, subscribe } from '../../support/fixtures/webhooks.ts';
import { world } from '../../support/world.ts';

it('stays deleted when a read that began before the deletion ends after it', async () => {
  const shop = await world();
  const { id: webhookId } = await subscribe(shop, new Receiver().url);
  const cached = new CachedRegistration(env, () => ({ tenantId: shop.tenantId, webhookId }));
  const read = cached.reload();
  // Lets the read begin.
  await Promise.resolve();
  cached.markDeleted();
  await read;
  expect([cached.isDeleted, await cached.current()]).toEqual([true, null]);
});
