/** A client of the API whose Worker may fail at any call. It retries as a careful client does. */
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { fieldsOfForm } from '../fixtures/browser.ts';
import { ADDRESS, RETURN_URL } from '../fixtures/selling/checkout.ts';
import type { Answer, World } from '../world.ts';
import { fetchWith } from './bindings.ts';

/** A response that says whether the call took effect. */
export type Definite = Pick<Answer, 'status' | 'body'>;

/** A request: its body is sent as JSON, or as it is when it is text (CSV). */
export interface Sent {
  readonly body?: object | string | undefined;
  readonly key?: string;
}

/** The most attempts at one call. With a tenth of all calls failing, forty in a row do not. */
const MAX_ATTEMPTS = 40;
/** A run that crashed holds its Idempotency-Key for half a minute (ms). */
const KEY_LOCK_MS = 31_000;

/** Codes after which the same call may succeed, and how long to wait for that (ms). */
const RETRIED: Readonly<Record<string, number>> = {
  idempotency_in_progress: KEY_LOCK_MS,
  rate_limited: MINUTE,
  unavailable: 1_000,
  conflict: 0,
};

/** Calls the API of one shop, with a Worker whose calls may fail. */
export class Caller {
  /** Responses by status: `0` counts calls that returned none. */
  readonly statuses: Record<number, number> = {};
  private keys = 0;

  constructor(
    readonly shop: World,
    readonly name: string,
    readonly worker: Env,
  ) {}

  private async send(method: string, path: string, token: string | null, init: RequestInit) {
    const response = await fetchWith(this.worker, method, path, token, init).catch(() => null);
    const status = response?.status ?? 0;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    // A body that the Worker can't finish is a response that is lost.
    const text = await response?.text().catch(() => undefined);
    return response && text !== undefined ? { status, headers: response.headers, text } : null;
  }

  /** Sends a request once; returns null when the response is lost. */
  async attempt(method: string, path: string, { body, key }: Sent = {}): Promise<Definite | null> {
    const type = typeof body === 'string' ? 'text/csv' : 'application/json';
    const headers = { 'content-type': type, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const init = { headers, ...(text === undefined ? {} : { body: text }) };
    const answer = await this.send(method, `/v1${path}`, this.shop.token, init);
    return answer && { status: answer.status, body: answer.text ? JSON.parse(answer.text) : null };
  }

  /** Sends a request under one Idempotency-Key until its response says whether it took effect. */
  async once(method: string, path: string, body?: Sent['body']): Promise<Definite> {
    const key = `${this.name} ${this.keys++}`;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const answer = await this.attempt(method, path, { body, key });
      const wait = answer ? RETRIED[answer.body?.code] : 0;
      if (answer && wait === undefined) return answer;
      if (wait) moveClock(wait);
      // A move's hold ends by the database's clock, which a test can't move: two seconds.
      if (attempt >= 10) await scheduler.wait(100);
    }
    throw new Error(`${this.name}: ${method} ${path} was not answered in ${MAX_ATTEMPTS} attempts`);
  }

  /**
   * Goes from the cart to the hosted page, and submits it as it is shown, twice if the total has changed. Returns the
   * URL that the shopper is sent back to, or null.
   */
  async buy(cart: string, action: string): Promise<URL | null> {
    const body = { cart_token: cart, return_url: RETURN_URL };
    const started = await this.attempt('POST', '/checkout/seamless', { body });
    if (started?.status !== 200) return null;
    const { pathname } = new URL(started.body.redirect_url);
    for (let shown = 0; shown < 2; shown++) {
      const page = await this.send('GET', pathname, null, {});
      if (page?.status !== 200) return null;
      const fields = { ...fieldsOfForm(page.text, 'class="details"'), ...ADDRESS, action };
      const answer = await this.send('POST', pathname, null, {
        body: new URLSearchParams(fields as Record<string, string>).toString(), // no field of the page is a list
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      if (answer?.status === 303)
        return new URL(answer.headers.get('location') ?? '', 'https://api.example.com');
    }
    return null;
  }
}
