/** Shoppers whose Worker dies under them, once at each call that it waits for. */

import { env } from 'cloudflare:workers';
import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, vi } from 'vitest';
import { readCartToken } from '../../src/cart/index.ts';
import { fetchWith } from '../support/bindings.ts';
import { type Mortal, mortal } from '../support/crashes.ts';
import type { Answer, World } from '../support/world.ts';
import { type Outcome, outcomeOf } from './books.ts';
import { ADDRESS, CANCEL_URL, cartWith, RETURN_URL } from './shop.ts';

/** How many shoppers are on their way at once. */
const AT_ONCE = 8;

/** One shopper with a cart of one thing for 10.00; the given Worker serves each request. */
export class Shopper {
  /** Where the last redirect to checkout led, and where checkout sent the shopper from there. */
  path: string | null = null;
  away: URL | null = null;
  death: string | null = null;

  constructor(
    readonly shop: World,
    readonly cart: string,
  ) {}

  get cartId(): string {
    return readCartToken(env, this.shop.tenantId, this.cart) ?? '';
  }

  /** What the return URL said, if the shopper is home. */
  said(name: 'status' | 'order_id'): string | null {
    return this.away?.searchParams.get(name) ?? null;
  }

  /** Asks the shop for a redirect: `left`, or an error's code. The last good answer is kept. */
  async leave(worker: Env): Promise<string> {
    const body = JSON.stringify({ cart_token: this.cart, return_url: RETURN_URL, cancel_url: CANCEL_URL });
    const headers = { 'content-type': 'application/json' };
    const { token } = this.shop;
    const answer = await fetchWith(worker, 'POST', '/v1/checkout/seamless', token, { body, headers });
    const { redirect_url, code } = await answer.json<{ redirect_url?: string; code?: string }>();
    if (redirect_url === undefined) return code ?? 'nothing';
    this.path = new URL(redirect_url).pathname;
    return 'left';
  }

  /** Opens the checkout page, or the one that a provider sends back to. */
  open = (worker: Env, page = '') => this.follow(fetchWith(worker, 'GET', `${this.path}${page}`, null));

  /** Presses a button of the checkout page, which showed this total (minor units). */
  press(worker: Env, action: string, total = 1000): Promise<number> {
    const body = new URLSearchParams({ ...ADDRESS, shown_total: String(total), action }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.follow(fetchWith(worker, 'POST', this.path ?? '/checkout/none', null, { body, headers }));
  }

  /** Goes from the cart to the paid order, as far as this Worker lives. */
  async buy(worker: Env): Promise<void> {
    await this.leave(worker);
    await this.open(worker);
    await this.press(worker, 'pay');
  }

  /** Follows a redirect away from checkout; answers the status. */
  private async follow(asked: Promise<Response>): Promise<number> {
    const { status, headers } = await asked;
    const location = headers.get('location');
    if (location?.startsWith('https:')) this.away = new URL(location);
    return status;
  }
}

/** Keeps what is logged of all those failures out of the test's output. */
export function quiet(): void {
  for (const way of ['warn', 'error'] as const) vi.spyOn(console, way).mockReturnValue();
}

/** Something that a shopper does, or that happens to one. */
export type Act = (shopper: Shopper, worker: Env) => Promise<unknown>;

const lives = new AsyncLocalStorage<Mortal>();

/** A call of something that is no binding, such as a provider: a place to die like the others. */
export const outward = <T>(name: string, call: () => Promise<T>): Promise<T> =>
  lives.getStore()?.outward(name, call) ?? call();

/**
 * Lets a shopper do something once for each place to die in it, and answers those who died: before the call
 * did anything, or after it was done, its answer unheard. What is waited for one by one leaves the same
 * behind either way, one place on.
 */
export async function everyDeath(
  [shop, cup]: readonly [World, Answer],
  when: 'before' | 'after',
  prepare: Act,
  act: Act,
): Promise<Shopper[]> {
  const begin = async (): Promise<Shopper> => {
    const shopper = new Shopper(shop, await cartWith(shop, cup));
    await prepare(shopper, env);
    return shopper;
  };
  const clean = mortal();
  const first = await begin();
  await lives.run(clean, () => act(first, clean.env));
  const fates = clean.calls.map((_, n) => mortal(n + 1, when));
  const shoppers: Shopper[] = [];
  await atOnce(fates, async () => {
    shoppers.push(await begin());
  });
  await atOnce(shoppers, async (shopper, n) => {
    const life = fates[n] ?? clean;
    await lives.run(life, () => act(shopper, life.env));
    if (life.died()) shopper.death = `died ${when} call ${life.calls.length} (${life.calls.at(-1)})`;
  });
  const dead = shoppers.filter(({ death }) => death !== null);
  // Who shares a read with somebody else has a place less to die in.
  expect(dead.length).toBeGreaterThan(fates.length * 0.8);
  return dead;
}

/** Does something with each of a list, a few at once. */
export async function atOnce<T>(
  list: readonly T[],
  act: (one: T, n: number) => Promise<unknown>,
): Promise<void> {
  const rest = list.entries();
  const work = async () => {
    for (const [n, one] of rest) await act(one, n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Asserts that each cart came to one of these ends; answers how many were sold. */
export async function expectOutcome(shoppers: readonly Shopper[], allowed: Outcome[]): Promise<number> {
  let sold = 0;
  for (const { shop, cartId, death } of shoppers) {
    const outcome = await outcomeOf(shop, cartId);
    expect(allowed, `${death}: ${JSON.stringify(outcome)}`).toContainEqual(outcome);
    if (outcome.cart === 'paid') sold += 1;
  }
  return sold;
}
