import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts } from '../counting.ts';
import { ask } from '../load.ts';
import { type Measured, tool } from '../worker.ts';
import type { Shop } from '../world/world.ts';
import { bump } from './cold.ts';

/** The most rows that a question may read which a list index answers. */
export const MAX_ROWS = 500;
/** The longest time until a tenant's index is built (ms). */
const MAX_BUILD_MS = 180_000;

/** A list with loose filters and four facets. */
export const LOOSE_LIST =
  '/v1/products?limit=20&tag=wool,oak&in_stock=true&price_max=200&facets=price,vendor,tag,attr.color';

/** Returns what a cold question costs a counting Worker. */
export async function costOf(worker: Measured, shop: Shop, path: string): Promise<Counts> {
  const headers = await bump(worker, shop);
  await tool<Counts>(worker, 'counts');
  await ask(worker, path, headers);
  return tool<Counts>(worker, 'counts');
}

/**
 * Asks a counting Worker until the tenant's list index answers, so that few rows are read, or the time is over. A small
 * tenant has no index, and never reads so few rows.
 */
export async function untilIndexed(worker: Measured, shop: Shop): Promise<void> {
  const ended = Date.now() + MAX_BUILD_MS;
  while (Date.now() < ended && (await costOf(worker, shop, LOOSE_LIST)).rowsRead > MAX_ROWS)
    await sleep(1_000);
}
