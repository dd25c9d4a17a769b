import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type VerifiedEvent, verifyEvent } from './verify-event.ts';

/** The version of the Universal Commerce Protocol that the assistant speaks. */
export const UCP_VERSION = '2026-04-08';

const CAPABILITIES = [
  ...['catalog.search', 'catalog.lookup', 'cart', 'checkout', 'order'],
  ...['fulfillment', 'discount', 'buyer_consent'],
];
const KEY_ID = 'assistant-1';

/** What is done with the events of orders. */
export interface EventHandlers {
  /** Is called with each event that was verified, once. */
  readonly verified: (event: VerifiedEvent) => void;
  /** Is called with the reason why a request is no event of the shop. */
  readonly refused: (reason: string) => void;
}

/**
 * The platform of the assistant: it serves its profile on this machine, verifies the events of orders, and signs its
 * requests (RFC 9421, ES256).
 */
export class Platform {
  /** The profile of the shop in which it orders. Events of other shops are refused. */
  shopProfile = '';
  readonly #server: Server;
  readonly #key: KeyObject;
  readonly #publicKey: object;
  readonly #handlers: EventHandlers;
  /** The ids of the events that have come. */
  readonly #seen = new Set<string>();

  private constructor(handlers: EventHandlers) {
    this.#handlers = handlers;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#publicKey = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' };
    this.#server = createServer(async (request, response) => {
      if (request.method === 'GET') {
        response.setHeader('Content-Type', 'application/json');
        response.setHeader('Cache-Control', 'public, max-age=60');
        response.end(JSON.stringify(this.#profile()));
        return;
      }
      response.writeHead(await this.#receive(request)).end();
    });
  }

  /** Starts a platform on a free port of this machine. */
  static async start(handlers: EventHandlers): Promise<Platform> {
    const platform = new Platform(handlers);
    await new Promise<void>((resolve) => platform.#server.listen(0, '127.0.0.1', resolve));
    return platform;
  }

  /** Stops the server. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #origin(): string {
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The URL of its profile. */
  get profileUrl(): string {
    return `${this.#origin}/profile.json`;
  }

  /** The URL that takes the events of orders. */
  get eventsUrl(): string {
    return `${this.#origin}/orders`;
  }

  /** Verifies an event. Returns the HTTP status: 204, or 401 for what is no event of the shop. */
  async #receive(request: IncomingMessage): Promise<number> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = '', headers } = request;
      const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
      const url = new URL(request.url ?? '/', this.#origin);
      const received = { method, url, headers: new Headers(named), body: Buffer.concat(chunks) };
      const event = await verifyEvent(received, this.shopProfile);
      if (!this.#seen.has(event.id)) this.#handlers.verified(event);
      this.#seen.add(event.id);
      return 204;
    } catch (error) {
      this.#handlers.refused(error instanceof Error ? error.message : String(error));
      return 401;
    }
  }

  #profile(): object {
    const entry = (name: string) => ({
      version: UCP_VERSION,
      spec: `https://ucp.dev/${UCP_VERSION}/specification/overview`,
      schema: `https://ucp.dev/${UCP_VERSION}/schemas/shopping/${name}.json`,
      ...(name === 'order' && { config: { webhook_url: this.eventsUrl } }),
    });
    return {
      ucp: {
        version: UCP_VERSION,
        services: {},
        capabilities: Object.fromEntries(
          CAPABILITIES.map((name) => [`dev.ucp.shopping.${name}`, [entry(name)]]),
        ),
        payment_handlers: {},
      },
      signing_keys: [this.#publicKey],
    };
  }

  /** Returns the headers of a signed request, with an idempotency key if it has a body. */
  headers(method: string, url: URL, body?: string): Record<string, string> {
    const fields: Record<string, string> = {
      'ucp-agent': `profile="${this.profileUrl}"`,
      ...(body !== undefined && {
        'idempotency-key': crypto.randomUUID(),
        'content-type': 'application/json',
        'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
      }),
    };
    const covered = { '@method': method, '@authority': url.host, '@path': url.pathname, ...fields };
    const names = Object.keys(covered).map((name) => `"${name}"`);
    const parameters = `(${names.join(' ')});created=${Math.floor(Date.now() / 1000)};keyid="${KEY_ID}"`;
    const base = [
      ...Object.entries(covered).map(([name, value]) => `"${name}": ${value}`),
      `"@signature-params": ${parameters}`,
    ].join('\n');
    const signature = sign('sha256', Buffer.from(base), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return {
      ...fields,
      'signature-input': `sig1=${parameters}`,
      signature: `sig1=:${signature.toString('base64')}:`,
    };
  }
}
