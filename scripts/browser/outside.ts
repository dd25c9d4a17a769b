import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** What lies outside the service: a shop that shoppers come back to, and a receiver of its webhooks. */
export interface Outside {
  /** Every path but {@link hooks} is a page that says where it is. */
  readonly url: string;
  /** Where webhooks are taken: 204 to what verifies, 400 to anything else. */
  readonly hooks: string;
  /** The type of each event that verified, in the order of their coming. */
  readonly events: readonly string[];
  /** Verifies with a webhook's secret from now on. */
  trust(secret: string): void;
  stop(): void;
}

/** Opens it on a port of this machine. */
export async function openOutside(): Promise<Outside> {
  const events: string[] = [];
  let webhook: Webhook | null = null;
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>Shop</title><h1>Back in the shop: ${pathOf(request)}</h1>`);
      return;
    }
    const type = verified(webhook, await bodyOf(request), request);
    if (type) events.push(type);
    response.writeHead(type ? 204 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    hooks: `${url}/hooks`,
    events,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    stop: () => server.close(),
  };
}

const pathOf = (request: IncomingMessage): string => request.url?.split('?')[0] ?? '';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}

/** The type of an event that the webhook's secret has signed, else null. */
function verified(webhook: Webhook | null, body: string, { headers }: IncomingMessage): string | null {
  try {
    const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    webhook?.verify(body, Object.fromEntries(named));
    return webhook && JSON.parse(body).type;
  } catch {
    return null;
  }
}
