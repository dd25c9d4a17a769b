/** The Worker crashes at each call that it awaits while an agent completes a checkout of nothing to pay. */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { readUcpCheckoutId } from '../../../src/ucp/cart/names.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import {
  agentShop,
  BUYER,
  buyingAgent,
  lineOf,
  published,
  TRANSPORTS,
  type Transport,
} from '../../support/fixtures/agents/agent.ts';
import { agentOf, type UcpAnswer } from '../../support/fixtures/agents/agent-shop.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { expectStock, NOTHING, SOLD, settle } from '../../support/fixtures/selling/outcomes.ts';
import {
  type Crashable,
  crashAtEveryCallOf,
  expectOutcome,
  forEachConcurrently,
  silenceConsole,
} from '../../support/fixtures/selling/shopper.ts';
import type { World } from '../../support/world.ts';

const STOCK = 1000;

beforeAll(silenceConsole);

/** A checkout that is ready to be completed, the key of the request that does it, and where that crashed. */
interface Completion extends Crashable {
  readonly shop: World;
  readonly cartId: string;
  readonly id: string;
  readonly once: string;
}

/** How often an agent sends a call that is refused with 503, the first time included. */
const MAX_TRIES = 20;

/** Repeats a call while it is refused with 503, as agents do: on a busy machine the limiter may not answer in time. */
async function retryOutage(call: () => Promise<UcpAnswer>): Promise<UcpAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await call();
    if (answer.status !== 503 || tries === MAX_TRIES) return answer;
  }
}

/** Creates a shop that gives a sample away; returns how its agent starts checkouts of it and completes them. */
async function sampleShop(transport: Transport) {
  const { agent, ...shop } = await agentShop(transport);
  const sample = await stockedProduct(shop, { name: 'Sample', type: 'virtual', price: 0, stock: STOCK });
  const item = sample.body.id as number;
  published();
  const begin = async (): Promise<Completion> => {
    const payload = { ...lineOf(`p${item}`), buyer: BUYER, context: { address_country: 'DE' } };
    const once = crypto.randomUUID();
    const { body } = await retryOutage(() => agent.checkout.create(payload, once));
    expect(body).toMatchObject({ status: 'ready_for_complete' });
    const { tenantId, profile } = shop;
    const cartId = readUcpCheckoutId({ env, tenantId, profile }, body.id)?.cartId ?? '';
    return { shop, cartId, id: body.id, once: crypto.randomUUID(), crash: null };
  };
  const complete = ({ id, once }: Completion, worker: Env) => {
    const serve = async ({ method, url, headers, body }: Request) =>
      fetchWith(worker, method, new URL(url).pathname, null, { headers, body });
    return buyingAgent(agentOf(shop, shop.profile, serve), transport).checkout.complete(id, {}, once);
  };
  const completeAtLast = (one: Completion) => retryOutage(() => complete(one, env));
  return { shop, item, begin, complete, completeAtLast };
}

const soldIn = async (shop: World) => (await shop.get('/orders?status=paid')).body.meta.total;

describe.each(TRANSPORTS)('a crash over %s', (transport) => {
  it('places one order for agents who retry, wherever the first attempt crashed', async () => {
    const { shop, item, begin, complete, completeAtLast } = await sampleShop(transport);
    const crashed = await crashAtEveryCallOf(begin, complete, 'after');
    await forEachConcurrently(crashed, async (one) => {
      const { body } = await completeAtLast(one);
      expect([one.crash, body.status]).toEqual([one.crash, 'completed']);
      expect((await completeAtLast(one)).body).toEqual(body);
    });
    await settle();
    await expectOutcome(crashed, [SOLD]);
    await expectStock(shop, item, STOCK, await soldIn(shop));
  });

  it('places one order or none for agents who never retry', async () => {
    const { shop, item, begin, complete } = await sampleShop(transport);
    const crashed = await crashAtEveryCallOf(begin, complete, 'before');
    await settle();
    await expectOutcome(crashed, [NOTHING, SOLD]);
    await expectStock(shop, item, STOCK, await soldIn(shop));
  });
});
