import { expect } from 'vitest';
import type { EventType } from '../../../src/events/index.ts';
import { exampleData } from '../../support/contract/contract.ts';
import { commitEvent } from '../../support/fixtures/webhooks.ts';
import type { Answer, World } from '../../support/world.ts';

/** Pulls until an empty page; returns every event in the order in which it came, and the last cursor. */
export async function pullAll(shop: World, query = 'limit=3', from: string | null = null) {
  const events: Answer['body'][] = [];
  let cursor = from;
  for (;;) {
    const answer = await shop.get(`/events?${query}${cursor === null ? '' : `&after=${cursor}`}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    cursor = answer.body.meta.next_cursor as string;
    events.push(...answer.body.data);
    if (answer.body.data.length === 0) return { events, cursor };
  }
}

export const writeEvents = async (shop: World, ...types: EventType[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const type of types) ids.push(await commitEvent(shop, type, exampleData(type)));
  return ids;
};
