import { expect } from 'vitest';
import type { World } from './world.ts';

/** A time before every change. */
export const EVER = '2000-01-01T00:00:00Z';

/** A row of a list that is read by its changes. */
export interface Changed {
  readonly id: number | string;
  readonly updated_at: string;
}

/** Reads all that changed in a list after `since`, page by page; returns it with where to go on. */
export async function changesSince<Row extends Changed>(shop: World, list: string, since: string, more = '') {
  const seen: Row[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await shop.get(`${list}?updated_since=${since}&limit=2${more}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    seen.push(...body.data);
    const { next_cursor, next_updated_since } = body.meta;
    expect(next_updated_since === null).toBe(next_cursor !== null);
    if (next_cursor === null) return { seen, ids: seen.map(({ id }) => id), next: next_updated_since };
    cursor = `&cursor=${next_cursor}`;
  }
}
