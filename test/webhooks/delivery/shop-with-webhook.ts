import { Receiver, subscribe } from '../../support/fixtures/webhooks.ts';
import { world } from '../../support/world.ts';

export async function shopWithWebhook() {
  const [shop, receiver] = [await world(), new Receiver()];
  const webhook = await subscribe(shop, receiver.url);
  return { shop, receiver, webhook };
}
