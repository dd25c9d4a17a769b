import { exports } from 'cloudflare:workers';
import { type Client, type ClientOptions, createClient, type Fetch } from '../../client/src/index.ts';
import { checkAnswer } from '../support/contract/contract.ts';

/** The Worker's own `fetch`, as the client calls it; checks each response against the OpenAPI document. */
export const worker: Fetch = async (url, init) => {
  const request = new Request(url, init);
  const { pathname, search } = new URL(url);
  const response = await exports.default.fetch(request);
  const text = await response.clone().text();
  const { status, headers } = response;
  await checkAnswer(request.method, pathname + search, {
    status,
    headers,
    body: text ? JSON.parse(text) : null,
  });
  return response;
};

/** A client of the Worker. */
export const clientWith = (token: string, more: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: 'https://api.example.com', token, fetch: worker, ...more });

/** A request that the client sent. */
export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
}

type Step = Response | Error | 'real';

/**
 * A `fetch` that keeps what is sent. It answers with the given steps in turn: a response, a lost connection, or
 * the Worker's own response; after the last step always with the Worker's.
 */
export function recorded(...steps: Step[]): { readonly fetch: Fetch; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, method: init.method ?? 'GET', headers: new Headers(init.headers) });
    const step = steps.shift() ?? 'real';
    if (step === 'real') return worker(url, init);
    if (step instanceof Error) throw step;
    return step;
  };
  return { fetch, sent };
}

/** An error response. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code, message: code, request_id: 'r' }, { status, headers });
