/** Guesses at discount codes by agents: more names of one owner don't mean more guesses. */
import { expect, it } from 'vitest';
import { cupShop, lineOf } from '../../support/fixtures/agents/agent.ts';
import { agentOf, servePlatform } from '../../support/fixtures/agents/agent-shop.ts';
import type { World } from '../../support/world.ts';

/** Returns how a platform's cart takes codes: the contents of its messages. */
async function tryCodes(
  shop: Pick<World, 'slug'> & { readonly cup: string },
  profile: string,
  { codes, token }: { readonly codes: readonly string[]; readonly token?: string },
): Promise<readonly string[]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const cart = { ...lineOf(shop.cup), discounts: { codes } };
  const { status, body } = await agentOf(shop, profile).rest('POST', '/carts', cart, headers);
  expect(status, JSON.stringify(body)).toBe(201);
  return (body.messages ?? []).map(({ content }: { content: string }) => content);
}

const guesses = (round: number) => Array.from({ length: 10 }, (_, n) => `GUESS-${round}-${n}`);

it('counts guesses of one domain together, and those of others and of applications apart', async () => {
  const shop = await cupShop('REST');
  await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  const domain = 'wildcard.co.uk';
  for (let round = 0; round < 6; round++) {
    await tryCodes(shop, servePlatform({ domain }), { codes: guesses(round) });
  }
  const right = { codes: ['TEN'] };
  expect(await tryCodes(shop, servePlatform({ domain }), right)).toEqual([
    "Code 'TEN' was not checked after too many wrong codes; try again later.",
  ]);
  expect(await tryCodes(shop, servePlatform({ domain: 'other.co.uk' }), right)).toEqual([]);
  const known = servePlatform({ domain });
  const { token } = await shop.register({ kind: 'agent', agent_profile: known });
  expect(await tryCodes(shop, known, { ...right, token })).toEqual([]);
});
