import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Contract, type Exchange, type OpenApi } from './contract.ts';

/** A proxy before a service. */
export interface ContractProxy {
  readonly url: string;
  /** Where exchanges with the API differed from its document. */
  readonly faults: readonly string[];
  /** How many exchanges with the API were compared. */
  readonly compared: number;
  stop(): void;
}

async function contractOf(service: string): Promise<Contract> {
  const response = await fetch(`${service}/v1/openapi.json`);
  // Whether it is an OpenAPI document is checked by `npm run contract`.
  return new Contract((await response.json()) as OpenApi);
}

/**
 * Starts a proxy on a local port (0: any free one) that compares each exchange below `/v1` and `/admin/v1` with the
 * OpenAPI document of the service, which may start later. Bodies are kept whole, so it suits tests only.
 */
export async function startContractProxy(service: string, at = 0): Promise<ContractProxy> {
  const faults: string[] = [];
  let compared = 0;
  let contract: Promise<Contract> | null = null;
  const server = createServer(async (incoming, outgoing) => {
    try {
      const exchange = await pass(service, incoming, outgoing);
      if (!isOfApi(exchange)) return;
      compared += 1;
      contract ??= contractOf(service);
      faults.push(...(await contract).faultsOf(exchange));
    } catch (error) {
      faults.push(`${incoming.method} ${incoming.url}: ${error}`);
      outgoing.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  // The address of a TCP server is always an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    get compared() {
      return compared;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Preflights are CORS's, not operations. */
const isOfApi = ({ method, target }: Exchange): boolean =>
  method !== 'OPTIONS' && /^\/(admin\/)?v1\//.test(target) && !target.startsWith('/v1/openapi.json');

/** Forwards a request and its response. The Host header stays, of which the service makes its links. */
async function pass(service: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<Exchange> {
  const { method = 'GET', url: target = '/' } = incoming;
  const body = await bytesOf(incoming);
  // Uncompressed bodies can be read here.
  const { 'accept-encoding': _, ...headers } = incoming.headers;
  const answer = await send(service + target, { method, headers }, body);
  const received = await bytesOf(answer);
  const { statusCode: status = 0 } = answer;
  outgoing.writeHead(status, answer.rawHeaders).end(received);
  return {
    method,
    target,
    status,
    sent: { headers: incoming.headers, body: body.toString() },
    received: { headers: answer.headers, body: received.toString() },
  };
}

const send = (url: string, options: object, body: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(url, { ...options, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
