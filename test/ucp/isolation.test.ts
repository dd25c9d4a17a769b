/** Ids of another agent's or shop's carts, checkouts and orders: each operation responds as to an invented id. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/ucp/operations.ts';
import type { OperationSpec } from '../../src/ucp/protocol/operation.ts';
import {
  agentShop,
  callOperation,
  cupShop,
  lineOf,
  payOnPage,
  ready,
  TRANSPORTS,
  type Transport,
} from '../support/fixtures/agents/agent.ts';
import { agentOf, servePlatform } from '../support/fixtures/agents/agent-shop.ts';

type Calls = Pick<ReturnType<typeof agentOf>, 'rest' | 'tool'>;

/** The operations on one cart, checkout or order. */
const named = operations.filter(({ spec }) => spec.path.includes('{id}'));

/** Calls an operation on an id, with a payload that fits. */
const callOn = (calls: Calls, transport: Transport, spec: OperationSpec) => (id: string, item: string) =>
  callOperation(calls, transport, spec)(id, spec.name.startsWith('complete') ? {} : ready(item));

/** A shop in which an agent has a cart, a checkout and a paid order. */
async function usedShop(transport: Transport) {
  const shop = await cupShop(transport);
  const { agent, cup } = shop;
  const paid = (await agent.checkout.create(ready(cup))).body;
  await payOnPage(paid.continue_url);
  const cart = (await agent.cart.create(lineOf(cup))).body.id as string;
  const checkout = (await agent.checkout.create(ready(cup))).body.id as string;
  const order = (await agent.checkout.get(paid.id)).body.order.id as string;
  return { ...shop, ids: { cart, checkout, order, completed: paid.id as string } };
}

describe.each(TRANSPORTS)('ids over %s', (transport) => {
  it('mean nothing to another agent, nor in another shop', async () => {
    const { agent, ids, cup, ...shop } = await usedShop(transport);
    const elsewhere = await agentShop(transport);
    const strangers = [agentOf(shop, servePlatform()), agentOf(elsewhere, shop.profile)];
    const before = [(await agent.cart.get(ids.cart)).body, (await agent.checkout.get(ids.checkout)).body];
    expect(named).toHaveLength(8);
    for (const stranger of strangers) {
      for (const { spec } of named) {
        const call = callOn(stranger, transport, spec);
        const invented = await call('uc_invented', cup);
        expect(invented.body.messages, spec.name).toMatchObject([{ code: 'not_found' }]);
        for (const id of Object.values(ids)) {
          const { status, body } = await call(id, cup);
          expect([spec.name, status, body]).toEqual([spec.name, invented.status, invented.body]);
        }
      }
    }
    expect([(await agent.cart.get(ids.cart)).body, (await agent.checkout.get(ids.checkout)).body]).toEqual(
      before,
    );
    expect((await agent.order(ids.order)).body.id).toBe(ids.order);
  });

  it('name nothing of another kind to their own agent', async () => {
    const { rest, tool, ids, cup } = await usedShop(transport);
    const own = { cart: [ids.cart], checkout: [ids.checkout, ids.completed], order: [ids.order] };
    for (const { spec } of named) {
      const call = callOn({ rest, tool }, transport, spec);
      const kind = spec.name.slice(spec.name.indexOf('_') + 1);
      for (const [other, others] of Object.entries(own)) {
        if (other === kind) continue;
        for (const id of others) {
          expect((await call(id, cup)).body.messages, `${spec.name} ${other}`).toMatchObject([
            { code: 'not_found' },
          ]);
        }
      }
    }
  });
});
