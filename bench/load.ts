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

/** What a round of requests is to do. */
export interface Plan extends Address {
  /** Whole HTTP/1.1 requests, sent in turn. */
  readonly requests: readonly string[];
  readonly seconds: number;
  readonly connections: number;
  /** Requests a second; without it, each connection sends as soon as it has its answer. */
  readonly rate?: number;
}

/** How a round went. Latencies in milliseconds. */
export interface Round {
  readonly answered: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers by status that were no 200. */
  readonly others: Readonly<Record<string, number>>;
}

/** A GET as it goes over the wire. */
export const get = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map((pair) => pair.join(': ')),
    '',
    '',
  ].join('\r\n');

/** A POST of JSON as it goes over the wire. */
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

/** Sends a round of requests from a thread of its own, so that what measures isn't measured. */
export async function load(plan: Plan): Promise<Round> {
  const thread = new Worker(join(import.meta.dirname, 'shooter.ts'), { workerData: plan });
  const [round] = await once(thread, 'message');
  await thread.terminate();
  return round;
}

/** An answer, and how long it took in milliseconds. */
export interface Timed {
  readonly ms: number;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** One GET, timed, over a connection that is kept. */
export async function ask(
  { address }: { address: Address },
  path: string,
  headers: OutgoingHttpHeaders,
): Promise<Timed> {
  const begun = performance.now();
  const [answer]: IncomingMessage[] = await once(
    request({ ...address, path, headers, agent }).end(),
    'response',
  );
  let body = '';
  for await (const part of answer?.setEncoding('utf8') ?? []) body += part;
  const { statusCode: status = 0, headers: received = {} } = answer ?? {};
  return { ms: performance.now() - begun, status, headers: received, body };
}
