import { once } from 'node:events';
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The plan of a round of requests. */
export interface Plan extends Address {
  /** Whole HTTP/1.1 requests, sent in turn. */
  readonly requests: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  /** Requests per second; without it, each connection sends the next request on receiving a response. */
  readonly rate?: number;
}

/** The result of a round. Latencies are in ms. */
export interface Round {
  readonly answered: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses other than 200, by status; "closed" counts requests without one. */
  readonly others: Readonly<Record<string, number>>;
}

/** Returns a raw HTTP/1.1 GET request. */
export const get = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map((pair) => pair.join(': ')),
    '',
    '',
  ].join('\r\n');

/** Returns a raw HTTP/1.1 POST request with a JSON body. */
export function post(path: string, headers: Readonly<Record<string, string>>, body: object): string {
  const json = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
    ...Object.entries(headers).map((pair) => pair.join(': ')),
    '',
    json,
  ].join('\r\n');
}

/** Sends a round of requests from a separate thread, so that the measuring code doesn't affect the result. */
export async function load(plan: Plan): Promise<Round> {
  const thread = new Worker(join(import.meta.dirname, 'shooter.ts'), { workerData: plan });
  const [round] = await once(thread, 'message');
  await thread.terminate();
  return round;
}

/** A response and its latency in ms. */
export interface Timed {
  readonly ms: number;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Times one GET, or with a body one POST, over a keep-alive connection. */
export async function ask(
  { address }: { address: Address },
  path: string,
  headers: OutgoingHttpHeaders,
  sent?: string,
): Promise<Timed> {
  const method = sent === undefined ? 'GET' : 'POST';
  const begun = performance.now();
  const [answer]: IncomingMessage[] = await once(
    request({ ...address, method, path, headers, agent }).end(sent),
    'response',
  );
  let body = '';
  for await (const part of answer?.setEncoding('utf8') ?? []) body += part;
  const { statusCode: status = 0, headers: received = {} } = answer ?? {};
  return { ms: performance.now() - begun, status, headers: received, body };
}
