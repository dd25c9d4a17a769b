/** The internet of the tests: hosts that a test listens on, and nothing else. */
import { vi } from 'vitest';

/** A request as a host on the internet receives it. */
export interface Received {
  url: string;
  headers: Headers;
  body: string;
  signal: AbortSignal | null | undefined;
  redirect: string | undefined;
}

/** Responds to a request in place of a host. */
export type Respond = (received: Received) => Response | Promise<Response>;

const hosts = new Map<string, Respond>();

/** Routes every `fetch` to the hosts that are listened on; rejects all others. */
export function replaceFetch(): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const respond = hosts.get(new URL(url).hostname);
    if (!respond) throw new TypeError('Nobody listens there');
    const { headers, body, signal, redirect } = init ?? {};
    return respond({ url, headers: new Headers(headers), body: String(body ?? ''), signal, redirect });
  });
}

/** Listens on a host of the test's internet. */
export const listen = (host: string, respond: Respond): void => {
  hosts.set(host, respond);
};
